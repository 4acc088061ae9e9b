// The section of where the ranks are: the map, the globe, the tiles as a graph, and tables of ranks and of sides.

import { summaryOf } from "../model/answer.js";
import { isGlobe, turnTo } from "../view/globe.js";
import { graphPicture } from "../view/graph.js";
import { jointRows } from "../view/joints.js";
import { mapPicture } from "../view/map.js";
import { byId, show, table } from "../view/svg.js";
import { blockWords, bytesWords, grouped } from "../view/words.js";
import { showGlobe } from "./globe.js";

const MOST_RANKS = 256; // that have a row

function showGraph({ spec, state, answer }, choose) {
    const is = spec.tiles > 1 || spec.kind === "tiles";
    byId("graph-figure").hidden = !is;
    if (!is) return;
    const first = (tile) => answer.layout.owners[answer.layout.tiles[tile].first];
    show(
        byId("graph-place"),
        graphPicture(spec, state.blocks[state.block].tile, (tile) => choose.rank(first(tile), tile, 0)),
    );
    show(byId("graph-table"), table("Sides that meet", ["side", "meets", "axes"], jointRows(spec)));
}

function showRanks({ spec, state, answer }, choose) {
    const ranks = [...new Set(answer.layout.owners)].sort((x, y) => x - y).slice(0, MOST_RANKS);
    const rows = ranks.map((rank) => {
        const s = summaryOf(answer, state.exchange, rank);
        return [
            String(rank),
            s.blocks.map((b) => blockWords(spec, b.tile, b.block)).join("; "),
            grouped(s.peers),
            bytesWords(s.sentBytes),
            bytesWords(s.receivedBytes),
        ];
    });
    const heads = ["rank", "blocks", "peers", "sent", "received"];
    show(
        byId("map-table"),
        table("Ranks", heads, rows, ranks.indexOf(state.rank), (r) => choose.rank(ranks[r])),
    );
}

export function showMap(shown, choose) {
    const { spec, state, answer } = shown;
    show(byId("map-place"), mapPicture(answer, state, choose.rank));
    byId("globe-figure").hidden = !isGlobe(spec);
    if (isGlobe(spec)) {
        state.turn = turnTo(answer, state.blocks[state.block]);
        showGlobe(shown, choose);
    }
    showGraph(shown, choose);
    showRanks(shown, choose);
}
