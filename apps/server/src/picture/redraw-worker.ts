import { crop, PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import { serve } from '../thread/serve-thread.ts';
import type { RedrawRequest } from './redraw-picture.ts';

await serve<RedrawRequest>(({ bytes, cut, edge }) => {
  const picture = PhotonImage.new_from_byteslice(bytes);
  const square = crop(picture, cut.left, cut.top, cut.left + cut.edge, cut.top + cut.edge);
  return resize(square, edge, edge, SamplingFilter.Lanczos3).get_bytes();
}, []);
