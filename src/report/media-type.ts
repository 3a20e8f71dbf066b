import type { MediaPart } from './content.ts';

/** The image types that model providers read; others make them refuse the whole request. */
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

export type ImageType = (typeof imageTypes)[number];

/** The media type of a part that is such an image and holds data; `undefined` for all others. */
export function imageType(part: MediaPart): ImageType | undefined {
  const type = mediaType(part);
  return part.data === '' ? undefined : imageTypes.find((known) => known === type);
}

export function isPdf(part: MediaPart): boolean {
  return part.data !== '' && mediaType(part) === 'application/pdf';
}

export function dataUrl(type: string, data: string): string {
  return `data:${type};base64,${data}`;
}

/** Without parameters, lower case. `image/jpg` is no registered type, and common. */
function mediaType(part: MediaPart): string {
  const type = part.mediaType.split(';', 1).join('').trim().toLowerCase();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}
