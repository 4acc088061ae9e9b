// How many parts a partition has along each axis: runtime/grid/process_grid.c, in the page.

// The first parts are one cell longer if it does not divide evenly.
export function partitionCut(cells, parts, i) {
    return i * Math.floor(cells / parts) + Math.min(i, cells % parts);
}

// The longest part with so many cut sides (0, 1 or 2); 0 if there is none.
function longestParts(cells, parts, periodic) {
    const longest = [0, 0, 0];
    const count = parts <= 4 ? parts : 3;
    for (let k = 0; k < count; ++k) {
        const i = parts > 4 && k === 2 ? parts - 1 : k;
        const n = partitionCut(cells, parts, i + 1) - partitionCut(cells, parts, i);
        const outer = Number(i === 0) + Number(i === parts - 1);
        const sides = parts === 1 ? 0 : periodic ? 2 : 2 - outer;
        longest[sides] = Math.max(longest[sides], n);
    }
    return longest;
}

// Bytes to and from the busiest rank: the worst combination of part lengths and cut sides.
function busiestBytes(request, parts) {
    const longest = parts.map((p, a) => longestParts(request.cells[a], p, request.periodic[a]));
    let worst = 0;
    for (let c = 0; c < 3 ** parts.length; ++c) {
        const sides = parts.map((_, a) => Math.floor(c / 3 ** a) % 3);
        const cells = sides.reduce((product, side, a) => product * longest[a][side], 1);
        const bytes =
            cells > 0
                ? sides.reduce((sum, side, a) => sum + side * request.faceBytes[a] * (cells / longest[a][side]), 0)
                : 0;
        worst = Math.max(worst, bytes);
    }
    return worst;
}

function isBetter(one, other) {
    if (one.bytes !== other.bytes) return one.bytes < other.bytes;
    if (one.neighbors !== other.neighbors) return one.neighbors < other.neighbors;
    const axis = one.parts.findIndex((p, a) => p !== other.parts[a]);
    return axis >= 0 && one.parts[axis] < other.parts[axis];
}

// Every way to write `ranks` as a product over the axes that are open (0 parts asked for).
function* divisions(request, parts, axis, ranks) {
    if (axis === parts.length) {
        if (ranks === 1) yield parts.slice();
        return;
    }
    if (request.parts[axis] > 0) {
        yield* divisions(request, parts, axis + 1, ranks);
        return;
    }
    for (let p = 1; p <= Math.min(request.cells[axis], ranks); ++p) {
        if (ranks % p === 0) {
            parts[axis] = p;
            yield* divisions(request, parts, axis + 1, ranks / p);
        }
    }
}

// All process grids for so many ranks, best first: fewest bytes, then neighbors, then parts along the first axes.
// request: cells, periodic, faceBytes and parts (0: to be chosen) by axis.
export function processGrids(ranks, request) {
    const given = request.parts.reduce((product, p) => product * (p || 1), 1);
    if (ranks % given !== 0) return [];
    const found = [];
    for (const parts of divisions(request, request.parts.slice(), 0, ranks / given)) {
        const around = parts.reduce((product, p) => product * Math.min(p, 3), 1);
        found.push({ parts, bytes: busiestBytes(request, parts), neighbors: around - 1 });
    }
    return found.sort((x, y) => (isBetter(x, y) ? -1 : isBetter(y, x) ? 1 : 0));
}
