import { useId } from 'react';
import type { Scene } from './gallery-scenes.ts';

const WIDTH = 128;
const HEIGHT = 96;

/** The ridge of a hill: height at a place, by two waves that no other hill has. */
function ridge(level: number, seed: number): (x: number) => number {
  return (x) => level + 7 * Math.sin(x / 21 + seed * 1.7) + 3 * Math.sin(x / 9 + seed * 3.1);
}

function hillPath(height: (x: number) => number): string {
  const points = Array.from({ length: 17 }, (_, step) => step * 8);
  const line = points.map((x) => `L${x} ${height(x).toFixed(1)}`).join('');
  return `M0 ${HEIGHT}${line}L${WIDTH} ${HEIGHT}z`;
}

/** Outlines that stand at 0 0, upwards. */
const shapes: Readonly<Record<Scene['stands'], string>> = {
  trees: 'M-1 0v-5h2v5zM-5-4a5 6 0 1 1 10 0 5 4 0 0 1-10 0z',
  houses: 'M-5 0v-7l5-4 5 4v7zM2.5-9v-4h2v5.5z',
  boats: 'M-8-2h16l-3 4h-10zM-.5-3v-12l7 12zM-2-3v-9l-5 9z',
  cans: 'M-4 0v-10a4 1.5 0 0 1 8 0v10a4 1.5 0 0 1-8 0z',
};

const places = [14, 32, 47, 71, 88, 112];

interface ScenePictureProps {
  readonly scene: Scene;
  /** What makes the hills of one picture differ from those of another. */
  readonly seed: number;
  /** Nothing to tell a screen reader of. */
  readonly decoration?: boolean;
  readonly className?: string;
}

/** A landscape, computed from a few colours; it fills its place. */
export function ScenePicture({ scene, seed, decoration = false, className }: ScenePictureProps) {
  const sky = useId();
  const heights = [ridge(56, seed), ridge(66, seed + 2), ridge(78, seed + 5)];
  const ground = heights[1] ?? ridge(66, seed);
  const [x, y, radius] = scene.at;
  const shift = (seed * 7) % 13;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      className={className}
      {...(decoration ? { 'aria-hidden': true } : { role: 'img', 'aria-label': scene.title })}
    >
      <linearGradient id={sky} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor={scene.sky[0]} />
        <stop offset="1" stopColor={scene.sky[1]} />
      </linearGradient>
      <rect width={WIDTH} height={HEIGHT} fill={`url(#${sky})`} />
      <circle cx={x} cy={y} r={radius} fill={scene.light} />
      {scene.hills.slice(0, 2).map((color, place) => (
        <path key={color} d={hillPath(heights[place] ?? ground)} fill={color} />
      ))}
      {places.map((place) => (
        <path
          key={place}
          d={shapes[scene.stands]}
          transform={`translate(${place + shift} ${(ground(place + shift) + 2).toFixed(1)}) scale(${0.8 + ((place * seed) % 5) / 10})`}
          fill={scene.hills[2]}
        />
      ))}
      <path d={hillPath(heights[2] ?? ground)} fill={scene.hills[2]} />
    </svg>
  );
}
