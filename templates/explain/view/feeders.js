// Who feeds the block that is shown, direction by direction.

// Segments of the block, each with the message that brings it.
function feeding(answer, state) {
    const { tile, block } = state.blocks[state.block];
    return answer
        .messages(state.exchange, state.rank)
        .flatMap((message) =>
            message.segments
                .filter((s) => s.tile === tile && s.block === block)
                .map((segment) => ({ message, segment })),
        );
}

function peersOf(answer, state, segments) {
    const peers = new Map();
    for (const { message, segment } of segments) {
        const key = `${segment.sourceTile},${segment.sourceBlock}`;
        const known = peers.get(key);
        if (known) {
            known.bytes += segment.bytes;
            continue;
        }
        peers.set(key, {
            rank: segment.fromRank,
            tile: segment.sourceTile,
            block: segment.sourceBlock,
            path: answer.path(state.exchange, state.rank, segment.fromRank),
            bytes: segment.bytes,
            message,
            segment,
        });
    }
    return [...peers.values()];
}

// What comes from each direction: { direction, peers: [{ rank, tile, block, path, bytes, message, segment }] }; message and
// segment are the first of several.
export function byDirection(answer, state) {
    const all = feeding(answer, state);
    return answer.spec.exchange[state.exchange].direction.map((direction) => {
        const segments = all.filter(({ segment }) => segment.direction.every((d, a) => d === direction[a]));
        return { direction, peers: peersOf(answer, state, segments) };
    });
}
