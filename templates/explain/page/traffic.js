// The section of who sends to whom.

import { sendsBack } from "../model/segments.js";
import { matrixPicture, traffic } from "../view/matrix.js";
import { byId, show, table } from "../view/svg.js";
import { PATHS, grouped } from "../view/words.js";

export function showTraffic({ spec, state, answer }, choose) {
    const pairs = traffic(answer, state.exchange, sendsBack(spec.exchange[state.exchange]));
    const made = matrixPicture(answer, state, pairs, (rank) => choose.rank(rank));
    byId("matrix-figure").hidden = made === null;
    if (made) show(byId("matrix-place"), made);
    const rows = pairs
        .filter((p) => p.from === state.rank || p.to === state.rank)
        .map((p) => [`${p.from} → ${p.to}`, PATHS[p.path], grouped(p.bytes)]);
    show(byId("matrix-table"), table(`Bytes from and to rank ${state.rank}`, ["ranks", "path", "bytes"], rows));
}
