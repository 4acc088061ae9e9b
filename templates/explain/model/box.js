// Boxes of points, and maps between them that turn and shift: runtime/grid/box.c, in the page.
//
// A box is { lo, hi } with lo <= index < hi along each axis; a map is { axis, turn, offset }:
// source[s] = turn[s] * destination[axis[s]] + offset[s].

export function boxIsEmpty(box) {
    return box.lo.some((lo, a) => lo >= box.hi[a]);
}

export function boxIntersect(one, other) {
    return {
        lo: one.lo.map((lo, a) => Math.max(lo, other.lo[a])),
        hi: one.hi.map((hi, a) => Math.min(hi, other.hi[a])),
    };
}

export function boxVolume(box) {
    return boxIsEmpty(box) ? 0 : box.lo.reduce((points, lo, a) => points * (box.hi[a] - lo), 1);
}

// The part of a box that lies below (-1), within (0) or above (+1) [0, n) along each axis.
export function boxPart(box, n, direction) {
    return {
        lo: box.lo.map((lo, a) => (direction[a] < 0 ? lo : Math.max(lo, direction[a] > 0 ? n[a] : 0))),
        hi: box.hi.map((hi, a) => (direction[a] > 0 ? hi : Math.min(hi, direction[a] < 0 ? 0 : n[a]))),
    };
}

export function boxHas(box, point) {
    return point.every((index, a) => index >= box.lo[a] && index < box.hi[a]);
}

// The box of points that are rewritten, in a tile that has so many cells.
export function boxOfRewrite(rewrite, cells) {
    const at = (bound, a) => Math.floor((bound.halves * cells[a] + bound.offset) / 2);
    return { lo: rewrite.lo.map(at), hi: rewrite.hi.map(at) };
}

export function mapIdentity(axes) {
    const axis = [...Array(axes).keys()];
    return { axis, turn: axis.map(() => 1), offset: axis.map(() => 0) };
}

// A tile link as a map, for the extents of its two tiles.
export function mapOfLink(link, destinationCells, sourceCells) {
    return {
        axis: link.map.map((m) => m.axis),
        turn: link.map.map((m) => m.sign),
        offset: link.map.map(
            (m, s) => m.offset + m.destination_cells * destinationCells[m.axis] + m.source_cells * sourceCells[s],
        ),
    };
}

// First `inner`, then `outer`.
export function mapCompose(outer, inner) {
    return {
        axis: outer.axis.map((middle) => inner.axis[middle]),
        turn: outer.turn.map((turn, s) => turn * inner.turn[outer.axis[s]]),
        offset: outer.offset.map((offset, s) => outer.turn[s] * inner.offset[outer.axis[s]] + offset),
    };
}

// The index along one axis of the source that feeds a point.
export function mapIndex(map, axis, point) {
    return map.turn[axis] * point[map.axis[axis]] + map.offset[axis];
}

// The image of a box, and the box whose image it is.
export function mapBox(map, box) {
    const last = box.hi.map((hi) => hi - 1);
    const ends = map.axis.map((_, s) => [mapIndex(map, s, box.lo), mapIndex(map, s, last)]);
    return { lo: ends.map((e) => Math.min(...e)), hi: ends.map((e) => Math.max(...e) + 1) };
}

export function mapBoxBack(map, box) {
    const lo = [];
    const hi = [];
    map.axis.forEach((axis, s) => {
        const first = map.turn[s] * (box.lo[s] - map.offset[s]);
        const last = map.turn[s] * (box.hi[s] - 1 - map.offset[s]);
        lo[axis] = Math.min(first, last);
        hi[axis] = Math.max(first, last) + 1;
    });
    return { lo, hi };
}
