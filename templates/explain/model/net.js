// Tiles laid out side by side on a sheet, and on the faces of a cube.
//
// A frame says where the two axes of a tile run: on the sheet, or in space.  Across a side the frame of the next tile
// follows from the link: source axis s runs along destination axis map[s].axis, in the sense of map[s].sign.

// The two axes along which tiles meet: those with most links from tile to tile, or that turn; else the first ones.
function sheetAxes(spec) {
    const used = Array(spec.axes).fill(0);
    for (const link of spec.positions[0] ? spec.positions[0].link : []) {
        const across = link.direction.map((d, a) => (d !== 0 ? a : -1)).filter((a) => a >= 0);
        const turns = link.map.some((m, s) => m.axis !== s || m.sign < 0);
        if (across.length === 1 && (link.source !== link.tile || turns)) used[across[0]] += 1;
    }
    const axes = [...used.keys()].sort((x, y) => used[y] - used[x] || x - y).slice(0, 2);
    return axes.sort((x, y) => x - y);
}

// Links across one side of a tile along the axes of the sheet.
function linksAcross(spec, axes) {
    return spec.positions[0].link.filter((link) => {
        const across = link.direction.map((d, a) => (d !== 0 ? a : -1)).filter((a) => a >= 0);
        return across.length === 1 && axes.includes(across[0]);
    });
}

const along = (vector, factor) => vector.map((v) => v * factor);
const plus = (one, other) => one.map((v, i) => v + other[i]);

// Frames by tile: { at: middle on the sheet, frame: { [axis]: [right, up] } }.  Tiles that find no room beside another
// stand apart.
export function unfold(spec) {
    const axes = sheetAxes(spec);
    const second = axes.length > 1 ? axes[1] : axes[0];
    const start = (at) => ({
        at,
        frame: axes.length > 1 ? { [axes[0]]: [1, 0], [second]: [0, 1] } : { [axes[0]]: [1, 0] },
    });
    const placed = new Map();
    const taken = (at) =>
        [...placed.values()].some((p) => Math.abs(p.at[0] - at[0]) < 0.5 && Math.abs(p.at[1] - at[1]) < 0.5);
    const room = () => {
        let x = 0;
        while ([-2, -1, 0, 1, 2].some((y) => taken([x, y])) || taken([x - 1, 0])) x += 1;
        return [x, 0];
    };
    for (let tile = 0; tile < spec.tiles; ++tile) {
        if (placed.has(tile)) continue;
        placed.set(tile, start(placed.size === 0 ? [0, 0] : room()));
        const queue = [tile];
        while (queue.length > 0) {
            const here = queue.shift();
            const { at, frame } = placed.get(here);
            for (const link of linksAcross(spec, axes).filter((l) => l.tile === here && !placed.has(l.source))) {
                const axis = axes.find((a) => link.direction[a] !== 0);
                const next = plus(at, along(frame[axis], link.direction[axis]));
                if (taken(next) || axes.some((s) => !axes.includes(link.map[s].axis))) continue;
                const turned = Object.fromEntries(
                    axes.map((s) => [s, along(frame[link.map[s].axis], link.map[s].sign)]),
                );
                placed.set(link.source, { at: next, frame: turned });
                queue.push(link.source);
            }
        }
    }
    return { axes, placed };
}

const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];

// The faces of a cube by tile: { out, frame }; null: the tiles are none.
export function foldUp(spec) {
    const axes = sheetAxes(spec);
    if (spec.tiles !== 6 || axes.length < 2) return null;
    const first = { [axes[0]]: [1, 0, 0], [axes[1]]: [0, 1, 0] };
    const faces = new Map([[0, { out: [0, 0, 1], frame: first }]]);
    const queue = [0];
    while (queue.length > 0) {
        const here = queue.shift();
        const { out, frame } = faces.get(here);
        for (const link of linksAcross(spec, axes).filter((l) => l.tile === here && !faces.has(l.source))) {
            const axis = axes.find((a) => link.direction[a] !== 0);
            // Over the edge: what led out of the side is the new normal, and what goes on along the axis goes down.
            const bent = { ...frame, [axis]: along(out, -link.direction[axis]) };
            const turned = Object.fromEntries(axes.map((s) => [s, along(bent[link.map[s].axis], link.map[s].sign)]));
            faces.set(link.source, { out: along(frame[axis], link.direction[axis]), frame: turned });
            queue.push(link.source);
        }
    }
    const sides = new Set([...faces.values()].map(({ out }) => out.map((n) => n + 0).join()));
    return sides.size === 6 ? { axes, faces: upright(faces, axes) } : null;
}

// Turns the cube so that tile 0 is on the equator with its second axis to the north.
function upright(faces, axes) {
    const { out, frame } = faces.get(0);
    const east = cross(frame[axes[1]], out);
    const turn = (v) => [east, frame[axes[1]], out].map((row) => row.reduce((sum, r, i) => sum + r * v[i], 0));
    return new Map(
        [...faces].map(([tile, face]) => [
            tile,
            {
                out: turn(face.out),
                frame: Object.fromEntries(axes.map((a) => [a, turn(face.frame[a])])),
            },
        ]),
    );
}

// A place on the globe: u and v from -1 to 1 along the axes of a tile, lines being great circles.
export function onGlobe({ out, frame }, axes, u, v) {
    const point = out.map(
        (o, i) => o + Math.tan((u * Math.PI) / 4) * frame[axes[0]][i] + Math.tan((v * Math.PI) / 4) * frame[axes[1]][i],
    );
    const length = Math.hypot(...point);
    return point.map((p) => p / length);
}
