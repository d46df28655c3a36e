/** A part of an icon: how far a point is from it, negative inside. The icon's sides are 0 and 1. */
export type Shape = (x: number, y: number) => number;

export const circle =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) - radius;

/** A rectangle by its middle, its sides and the radius of its corners. */
export const box =
  (cx: number, cy: number, width: number, height: number, corner = 0): Shape =>
  (x, y) => {
    const dx = Math.abs(x - cx) - width / 2 + corner;
    const dy = Math.abs(y - cy) - height / 2 + corner;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
  };

/** A path through points, with round ends. */
export const stroke =
  (width: number, ...points: [x: number, y: number][]): Shape =>
  (x, y) => {
    let nearest = Infinity;
    for (let at = 1; at < points.length; at += 1) {
      const [ax, ay] = points[at - 1] ?? [0, 0];
      const [bx, by] = points[at] ?? [0, 0];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
      nearest = Math.min(nearest, Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)));
    }
    return nearest - width / 2;
  };

export const ring = (cx: number, cy: number, radius: number, width: number): Shape => {
  const disc = circle(cx, cy, radius);
  return (x, y) => Math.abs(disc(x, y)) - width / 2;
};

export const union =
  (...shapes: Shape[]): Shape =>
  (x, y) =>
    Math.min(...shapes.map((shape) => shape(x, y)));

export const without =
  (shape: Shape, hole: Shape): Shape =>
  (x, y) =>
    Math.max(shape(x, y), -hole(x, y));
