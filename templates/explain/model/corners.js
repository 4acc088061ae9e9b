// What fills ghost points in corners of tiles where no tile lies, when the application asks for it: runtime/pack/corners.c, in the
// page.

import { mapIndex, mapOfLink } from "./box.js";

function sourceOf(layout, field, { tile, first }, link, point) {
    const { cells } = layout.tiles[tile];
    const map = mapOfLink(link, cells, cells);
    const inTile = point.map((p, a) => p + first[a]);
    return {
        field: link.component < 0 ? field : layout.spec.field[field].vector[link.component],
        point: first.map((f, s) => mapIndex(map, s, inTile) - f),
        sign: link.sign,
    };
}

// Of a ghost point of a block: { axis, field, point, sign } for each fill that the exchange has.  outside: on which side of the block it
// lies along each axis; points: the owned ones along each.
export function cornerFills(layout, exchange, field, block, { point, outside, points }) {
    const x = layout.spec.exchange[exchange];
    const number = x.field.findIndex((f) => f.field === field);
    if (number < 0) return [];
    const { width_lo: lo, width_hi: hi } = x.field[number];
    if (point.some((p, a) => p < -lo[a] || p >= points[a] + hi[a])) return [];
    return x.corner_fill.flatMap((fill) =>
        fill.field[number].link
            .filter((link) => link.tile === block.tile && link.direction.every((d, a) => d === outside[a]))
            .map((link) => ({ axis: fill.axis, ...sourceOf(layout, field, block, link, point) })),
    );
}
