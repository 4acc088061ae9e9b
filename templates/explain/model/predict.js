// How long an exchange takes on the machine of --machine, in microseconds: gen/lua/explain/predict.lua, in the page.

import { blocksOf } from "./layout.js";
import { arrayBytes, runsOf } from "./runs.js";

export const PARTS = ["latency", "pack", "send", "copy", "wait", "unpack"];
const PATHS = ["shared", "network", "device"];

// ---- memory -------------------------------------------------------------------------------------------------------

function byteNs(line, ranks) {
    const shared = line.node_gigabytes_per_second ? ranks / line.node_gigabytes_per_second : 0;
    return Math.max(1 / line.gigabytes_per_second, shared);
}

// Two neighboring lines around a size, and how far it lies from the first to the second.
function around(lines, kib) {
    const last = lines.length - 1;
    if (last === 0 || kib <= lines[0].kib) return [lines[0], lines[0], 0];
    if (kib >= lines[last].kib) return [lines[last], lines[last], 0];
    const above = lines.findIndex((line) => kib <= line.kib);
    const [low, high] = [lines[above - 1], lines[above]];
    return [low, high, Math.log(kib / low.kib) / Math.log(high.kib / low.kib)];
}

// What links, runs and bytes cost in arrays of so many KiB, in microseconds each.
function memoryOf(machine, at) {
    if (at.onDevice) return { link: 0, run: 0, byte: 1e-3 / machine.device.gigabytes_per_second };
    const [low, high, share] = around(machine.self, at.kib);
    const between = (a, b) => a + share * (b - a);
    return {
        link: between(low.latency_us, high.latency_us),
        run: 1e-3 * between(low.run_ns || 0, high.run_ns || 0),
        byte: 1e-3 * between(byteNs(low, at.ranksOfNode), byteNs(high, at.ranksOfNode)),
    };
}

// ---- a phase ------------------------------------------------------------------------------------------------------

// Of points that are packed, unpacked or copied.  A device takes one kernel for all.
function touch(machine, at, memory, messages) {
    const sum = (count) => messages.reduce((all, message) => all + count(message), 0);
    if (messages.length === 0) return 0;
    if (at.onDevice) return machine.device.latency_us + memory.byte * sum((m) => m.bytes);
    return memory.link * sum((m) => m.segments.length) + memory.run * sum((m) => m.runs) + memory.byte * sum((m) => m.bytes);
}

// From the last send until everything has come.  From device to device the kernel that packs has moved the bytes.
function transfer(machine, received) {
    const times = PATHS.map((path) => {
        const messages = received.filter((m) => m.path === path);
        const bytes = path === "device" ? 0 : messages.reduce((sum, m) => sum + m.bytes, 0);
        return messages.length > 0
            ? machine[path].latency_us + (1e-3 * bytes) / machine[path].gigabytes_per_second
            : 0;
    });
    return Math.max(...times);
}

function addPhase(machine, messages, at, memory, out) {
    const of = (kind) => messages.filter((m) => m.kind === kind);
    const copy = touch(machine, at, memory, of("within"));
    const overNetwork = of("sent").filter((m) => m.path === "network").length;
    out.pack += touch(machine, at, memory, of("sent"));
    out.send += overNetwork > 0 ? (machine.network.send_us || 0) * overNetwork : 0;
    out.copy += copy;
    out.wait += Math.max(0, transfer(machine, of("received")) - copy);
    out.unpack += touch(machine, at, memory, of("received"));
}

// ---- an exchange --------------------------------------------------------------------------------------------------

function situation(answer, exchange, rank) {
    const { spec, layout, question } = answer;
    const items = spec.exchange[exchange].field;
    const bytes = blocksOf(layout, rank).reduce(
        (sum, at) => items.reduce((inner, item) => inner + arrayBytes(layout, item.field, at), sum),
        0,
    );
    return {
        kib: bytes / 1024,
        ranksOfNode: Math.min(question.perNode, layout.ranks),
        onDevice: items.some((item) => spec.field[item.field].on_device),
    };
}

// Of a rank: { microseconds, and each of PARTS }, or { lacks: a path of which the machine says nothing }; null without a machine.
export function predict(answer, exchange, rank) {
    const { machine } = answer.question;
    if (!machine) return null;
    const at = situation(answer, exchange, rank);
    const messages = answer.messages(exchange, rank).map((m) => ({
        ...m,
        path: m.kind === "within" ? "self" : answer.path(exchange, rank, m.peer),
        runs: m.segments.reduce((sum, s) => sum + runsOf(answer.layout, s, rank), 0),
    }));
    const lacking = messages.find((m) => !machine[m.path]);
    if (at.onDevice && !machine.device) return { lacks: "device" };
    if (lacking) return { lacks: lacking.path };
    const out = { latency: machine.exchange ? machine.exchange.latency_us : 0, pack: 0, send: 0, copy: 0, wait: 0, unpack: 0 };
    const memory = memoryOf(machine, at);
    for (const phase of new Set(messages.map((m) => m.phase))) {
        addPhase(machine, messages.filter((m) => m.phase === phase), at, memory, out);
    }
    return { ...out, microseconds: PARTS.reduce((sum, part) => sum + out[part], 0) };
}
