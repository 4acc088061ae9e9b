// Stretches of memory that a segment touches, and bytes of arrays: gen/explain/messages.c and runtime/grid/block.c, in the page.

import { layoutCells, layoutIndex, pointsOf } from "./layout.js";

// Points along each axis that a field has in memory, its padding included.
function allocated(spec, number, cells) {
    const field = spec.field[number];
    const around = (a) => (field.behind ? 0 : field.halo_lo[a] + field.halo_hi[a]);
    return pointsOf(spec, number, cells).map((n, a) => n + around(a) + field.padding[a]);
}

// Points along each axis of the plane behind the owned points in which a point lies; null: it is owned, or no plane is there.
function planeOf(spec, number, cells, point) {
    const field = spec.field[number];
    const owned = pointsOf(spec, number, cells);
    const across = field.behind ? point.findIndex((p, a) => p < 0 || p >= owned[a]) : -1;
    if (across < 0) return null;
    return owned.map((n, a) => (a !== across ? n : point[a] < 0 ? field.halo_lo[a] : field.halo_hi[a]));
}

// How far apart neighboring points are along each axis, where so many lie along each.
function stridesOf(field, points, inPlane) {
    const strides = [];
    let step = 1;
    field.order.forEach((axis, i) => {
        strides[axis] = step;
        step *= points[axis];
        if (!inPlane && field.components_after === i + 1) step *= field.components;
    });
    return strides;
}

// The end of a segment that lies in the rank; of two the one that is written: strides along the axes of that end, and points.
function endOf(layout, segment, rank) {
    const { spec } = layout;
    const points = segment.lo.map((lo, a) => segment.hi[a] - lo);
    if (segment.toRank === rank) {
        const { cells } = layoutCells(layout, segment.tile, segment.block);
        const plane = planeOf(spec, segment.field, cells, segment.lo);
        const all = plane || allocated(spec, segment.field, cells);
        return stridesOf(spec.field[segment.field], all, plane !== null).map((stride, a) => [stride, points[a]]);
    }
    const { cells } = layoutCells(layout, segment.sourceTile, segment.sourceBlock);
    const all = allocated(spec, segment.sourceField, cells);
    return stridesOf(spec.field[segment.sourceField], all, false).map((stride, s) => [stride, points[segment.axis[s]]]);
}

// Of the components of a point that travel: stretches that lie side by side.
function runsOfPoint(picks) {
    return picks ? picks.filter((c, i) => i === 0 || c !== picks[i - 1] + 1).length : 1;
}

export function runsOf(layout, segment, rank) {
    const field = layout.spec.field[segment.field];
    const apart = field.components_after > 0;
    const whole = apart || !segment.picks || segment.components === field.components;
    let runs = apart ? segment.components : runsOfPoint(segment.picks);
    let next = 1;
    for (const [stride, points] of endOf(layout, segment, rank).sort((one, other) => one[0] - other[0])) {
        if (points === 1) continue;
        if (whole && stride === next) {
            next *= points;
        } else {
            runs *= points;
            next = -1; // nothing slower goes on where this ends
        }
    }
    return runs;
}

// Points in planes behind the owned ones, for each side with a neighbor.
function pointsBehind(layout, number, { tile, block }) {
    const { spec, tiles } = layout;
    const field = spec.field[number];
    const index = layoutIndex(layout, tile, block);
    const owned = pointsOf(spec, number, layoutCells(layout, tile, block).cells);
    return owned.reduce((sum, n, a) => {
        const across = owned.reduce((product, m, b) => (b === a ? product : product * m), 1);
        const below = spec.periodic[a] || index[a] > 0 ? field.halo_lo[a] : 0;
        const above = spec.periodic[a] || index[a] + 1 < tiles[tile].parts[a] ? field.halo_hi[a] : 0;
        return sum + across * (below + above);
    }, 0);
}

// Bytes that a field takes in a block.
export function arrayBytes(layout, number, at) {
    const { spec } = layout;
    const field = spec.field[number];
    const { cells } = layoutCells(layout, at.tile, at.block);
    const points = allocated(spec, number, cells).reduce((product, n) => product * n, field.components_after > 0 ? field.components : 1);
    return (points + (field.behind ? pointsBehind(layout, number, at) : 0)) * field.size;
}
