// The section of the block in its halo: its cells, its parts pulled apart, and a table of directions.

import { blockPicture } from "../view/block.js";
import { explodedPicture } from "../view/exploded.js";
import { byDirection } from "../view/feeders.js";
import { byId, show, table } from "../view/svg.js";
import { FILLS, PATHS, bytesWords, directionWords } from "../view/words.js";
import { directionOf, foundAt, pointTowards } from "./place.js";

// Class and words of what lies in a direction.
function lookTowards(shown, direction) {
    const { state, answer } = shown;
    if (direction.every((d) => d === 0)) return { class: "interior", words: `rank ${state.rank}` };
    const found = foundAt(shown, pointTowards(shown, direction));
    if (found.kind === "ghost") {
        const { fromRank, toRank } = found.segment;
        const path = answer.path(state.exchange, fromRank, toRank);
        return { class: `ghost ${path}`, words: `rank ${fromRank}, ${PATHS[path]}` };
    }
    if (found.kind === "wall") {
        const filled = found.fill === "none" ? "empty" : "filled";
        return { class: `wall ${filled}`, words: `behind a wall: ${FILLS[found.fill]}` };
    }
    return { class: "none", words: "left alone" };
}

function showExploded(shown, choose) {
    const { spec, state } = shown;
    byId("exploded-figure").hidden = spec.axes !== 3;
    if (spec.axes !== 3) return;
    const looks = (direction) => lookTowards(shown, direction);
    show(
        byId("exploded-place"),
        explodedPicture(spec, looks, directionOf(shown, state.point), (d) => choose.part(pointTowards(shown, d))),
    );
}

function showDirections(shown) {
    const { spec, state, answer } = shown;
    const rows = byDirection(answer, state).map(({ direction, peers }) => [
        directionWords(spec, direction),
        peers.length > 0 ? peers.map((p) => p.rank).join(", ") : lookTowards(shown, direction).words,
        [...new Set(peers.map((p) => PATHS[p.path]))].join(", ") || "–",
        bytesWords(peers.reduce((sum, p) => sum + p.bytes, 0)),
    ]);
    const caption = `Directions of ${spec.exchange[state.exchange].name}, all its fields`;
    show(byId("block-table"), table(caption, ["direction", "fed by rank", "path", "bytes"], rows));
}

export function showBlock(shown, choose) {
    show(byId("block-place"), blockPicture(shown.answer, shown.state, choose.point));
    showExploded(shown, choose);
    showDirections(shown);
}
