// Sides of tiles that meet, as links say it, and as rows of a table.

import { directionWords } from "./words.js";

export const tileName = (spec, tile) => (spec.tile_names ? spec.tile_names[tile] : String(tile));

// How the axes of the source run along those of the tile: "x → −y"; "" where they do not turn.
function turnOf(spec, link) {
    return link.map
        .map((m, a) =>
            m.axis === a && m.sign > 0 ? "" : `${spec.axis[m.axis]} → ${m.sign < 0 ? "−" : ""}${spec.axis[a]}`,
        )
        .filter((w) => w)
        .join(", ");
}

function jointOf(spec, link) {
    const axis = link.direction.findIndex((d) => d !== 0);
    const s = link.map.findIndex((m) => m.axis === axis);
    // Going out on one side one comes in from the other end of the source.
    const into = link.direction.map((_, a) => (a === s ? -link.direction[axis] * link.map[s].sign : 0));
    return {
        tile: link.tile,
        source: link.source,
        side: directionWords(spec, link.direction),
        sourceSide: directionWords(spec, into),
        turn: turnOf(spec, link),
    };
}

const isOther = (one, two) =>
    one.tile === two.source && one.source === two.tile && one.side === two.sourceSide && one.sourceSide === two.side;

// Pairs of sides that meet, each once: { tile, source, side, sourceSide, turn }.
export function joints(spec) {
    const found = [];
    for (const link of spec.positions[0].link) {
        if (link.direction.filter((d) => d !== 0).length !== 1) continue;
        const fresh = jointOf(spec, link);
        if (!found.some((known) => isOther(known, fresh))) found.push(fresh);
    }
    return found;
}

export function jointRows(spec) {
    return joints(spec).map((j) => [
        `${tileName(spec, j.tile)}, side ${j.side}`,
        `${tileName(spec, j.source)}, side ${j.sourceSide}`,
        j.turn || "no turn",
    ]);
}
