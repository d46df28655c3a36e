export {
  hasChromium,
  quietArgs,
  type UnpackedChromium,
  unpackChromium,
  unpackFonts,
  writeFontSettings,
} from './unpack-chromium.ts';
