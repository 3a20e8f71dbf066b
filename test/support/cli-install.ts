/**
 * The command as a user gets it: the package is built, packed, and its tarball installed into an empty project. Once for
 * each state of the sources: the project stays in the temporary folder of the machine, for every test file and the next run.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The folder of the project that the package is installed in. */
export async function installPackage(): Promise<string> {
  const project = join(tmpdir(), `mcp-outcome-cli-${await hashOfSources()}`);
  if (await exists(join(project, 'node_modules'))) return project;
  await removeOldProjects();
  const staging = await mkdtemp(join(tmpdir(), 'mcp-outcome-staging-'));
  try {
    const tarball = await pack(staging);
    const fresh = join(staging, 'project');
    await mkdir(fresh);
    await writeFile(join(fresh, 'package.json'), '{ "private": true }\n');
    const quick = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quick, tarball], { cwd: fresh });
    // Another test file may have been faster: its project is as good.
    await rename(fresh, project).catch(() => access(project));
    return project;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Not in the checkout itself: test files that run at the same time would build over each other. */
async function pack(staging: string): Promise<string> {
  const source = join(staging, 'package');
  await mkdir(source);
  for (const file of ['package.json', 'README.md', 'LICENSE']) {
    await cp(join(root, file), join(source, file));
  }
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // Types are another check's business: what is wrong with them is emitted all the same.
  await run(process.execPath, [tsc, '-p', root, '--outDir', join(source, 'dist')]).catch(() => undefined);
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [esbuild, ...flags] = String(scripts['build:bundle']).split(' ');
  await run(join(root, 'node_modules', '.bin', esbuild ?? ''), flags, { cwd: source });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', staging], { cwd: source });
  const tarball = (await readdir(staging)).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball.');
  return join(staging, tarball);
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const sources = await readdir(join(root, 'src'), { recursive: true });
  const files = sources.filter((file) => file.endsWith('.ts')).map((file) => join('src', file));
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', ...files.sort()]) {
    hash.update(`${file}\n`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

const hourMs = 3_600_000;

/** Of sources that have changed since; not those that a test run beside this one may use. */
async function removeOldProjects(): Promise<void> {
  const projects = (await readdir(tmpdir())).filter((name) => name.startsWith('mcp-outcome-cli-'));
  for (const project of projects.map((name) => join(tmpdir(), name))) {
    const age = Date.now() - (await stat(project)).mtimeMs;
    if (age > hourMs) await rm(project, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
