#include "observe/stats_table.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 14, MOST_AWAITED = 5, WORDS = 32 };

/* ---- numbers ------------------------------------------------------------------------------------------- */

/* Three digits of seconds: "12.3 us". */
static const char *seconds_in_words(double seconds, char words[WORDS])
{
    static const char *const unit[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    int u = 0;
    while (u < 3 && value >= 999.5) {
        value /= 1e3;
        u++;
    }
    const int decimals = u == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(words, WORDS, "%.*f %s", decimals, value, unit[u]);
    return words;
}

static const char *bytes_in_words(double bytes, char words[WORDS])
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB"};
    double value = bytes;
    int u = 0;
    while (u < 3 && value >= 1024.0) {
        value /= 1024.0;
        u++;
    }
    snprintf(words, WORDS, "%.*f %s", u == 0 ? 0 : 1, value, unit[u]);
    return words;
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

/* Of one exchange on one rank, on average. */
typedef struct mean {
    double times;
    double messages;
    double bytes;
    double every; /* seconds from start to start */
    double pack;
    double copy;
    double late;
    double transfer;
    double unpack;
    double device;
    bool known; /* late and transfer are */
} mean;

static mean find_mean(const hxi_report *report, int exchange)
{
    mean m = {.known = true};
    double times = 0.0;
    double gaps = 0.0;
    for (int r = 0; r < report->ranks; ++r) {
        if (report->rank[r].counts) {
            const hxi_exchange_counts *c = &report->rank[r].exchange[exchange];
            times += (double)c->count;
            gaps += c->count > 1 ? (double)(c->count - 1) : 0.0;
            m.messages += (double)c->messages;
            m.bytes += (double)c->bytes_sent;
            m.every += c->last - c->first;
            m.pack += c->pack;
            m.copy += c->copy;
            m.late += c->late;
            m.transfer += c->wait - c->late;
            m.unpack += c->unpack;
            m.device += c->device;
            m.known = m.known && (c->sampled > 0 || c->count == 0);
        }
    }
    const double ranks = (double)(report->ranks - report->silent);
    const double all = times > 0.0 ? times : 1.0;
    return (mean){.times = times / ranks,
                  .messages = m.messages / ranks,
                  .bytes = m.bytes / ranks,
                  .every = gaps > 0.0 ? m.every / gaps : 0.0,
                  .pack = m.pack / all,
                  .copy = m.copy / all,
                  .late = m.late / all,
                  .transfer = m.transfer / all,
                  .unpack = m.unpack / all,
                  .device = m.device / all,
                  .known = m.known};
}

/* A long name has a line of its own. */
static void add_exchange(const hxi_report *report, int exchange, hxi_text *text)
{
    char words[6][WORDS];
    const char *name = report->exchange[exchange].name;
    const mean m = find_mean(report, exchange);
    if (!(m.times > 0.0)) {
        hxi_text_add(text, "  %-*s%*s\n", NAME, name, strlen(name) > NAME ? 2 : 8, "0");
        return;
    }
    const bool is_long = strlen(name) > NAME;
    if (is_long) {
        hxi_text_add(text, "  %s\n", name);
    }
    hxi_text_add(text, "  %-*s%8.0f%10.4g%11s%9s", NAME, is_long ? "" : name, m.times, m.messages,
                 bytes_in_words(m.bytes, words[0]), seconds_in_words(m.every, words[1]));
    hxi_text_add(text, "%9s%9s", seconds_in_words(m.pack, words[0]), seconds_in_words(m.copy, words[1]));
    if (m.known) {
        hxi_text_add(text, "%9s%9s", seconds_in_words(m.late, words[0]),
                     seconds_in_words(m.transfer, words[1]));
    } else {
        hxi_text_add(text, "%9s%9s", "?", "?");
    }
    hxi_text_add(text, "%9s\n", seconds_in_words(m.unpack, words[0]));
    if (m.device > 0.0) {
        hxi_text_add(text, "  %*s a device packed for %s\n", NAME, "", seconds_in_words(m.device, words[0]));
    }
}

/* ---- balance ------------------------------------------------------------------------------------------- */

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

static void add_balance(const hxi_report *report, hxi_text *text)
{
    char words[3][WORDS];
    const hxi_rank_report *slowest = &report->rank[report->slowest];
    const double saved = slowest->work - report->work;
    hxi_text_add(
        text, "\nRanks wait for %.1f %% of the run: %.1f %% for ranks that are late, %.1f %% for transfer.\n",
        percent(report->wait, report->seconds), percent(report->late, report->seconds),
        percent(report->wait - report->late, report->seconds));
    hxi_text_add(text,
                 "Imbalance: %.1f %% of the run.  Rank %d works for %s, a rank on average for %s.\n"
                 "With perfect balance the run would be %s shorter.\n",
                 percent(saved, report->seconds), report->slowest, seconds_in_words(slowest->work, words[0]),
                 seconds_in_words(report->work, words[1]), seconds_in_words(saved, words[2]));
}

/* 0.1: "10.0 % longer than"; 2.5: "3.5 times as long as". */
static const char *slower_in_words(double slower, char words[WORDS])
{
    if (slower >= 1.0) {
        snprintf(words, WORDS, "%.1f times as long as", 1.0 + slower);
    } else {
        snprintf(words, WORDS, "%.1f %% %s than", 100.0 * (slower < 0.0 ? -slower : slower),
                 slower < 0.0 ? "less" : "longer");
    }
    return words;
}

static void add_awaited(const hxi_report *report, hxi_text *text)
{
    char words[WORDS];
    double all = 0.0;
    for (int r = 0; r < report->ranks; ++r) {
        all += report->rank[r].blame;
    }
    int rank = hxi_report_next(report, -1);
    if (rank >= 0) {
        hxi_text_add(text, "\nWho others wait for:\n");
    }
    for (int i = 0; i < MOST_AWAITED && rank >= 0; ++i, rank = hxi_report_next(report, rank)) {
        hxi_text_add(text, "  rank %d works %s the others; they wait ", rank,
                     slower_in_words(hxi_report_slower(report, rank), words));
        hxi_text_add(text, "%s for it, %.0f %% of all lateness\n",
                     seconds_in_words(report->rank[rank].blame, words),
                     percent(report->rank[rank].blame, all));
    }
    if (rank >= 0) {
        hxi_text_add(text, "  and others, of whom the JSON tells\n");
    }
}

static void add_copying(const hxi_report *report, hxi_text *text)
{
    if (report->reached > 0.0 && report->copy_rate > 0.0) {
        hxi_text_add(text, "\nLoops moved %.1f GB/s, %.0f %% of what memcpy reaches here.\n",
                     1e-9 * report->reached, percent(report->reached, report->copy_rate));
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

void hxi_table_write(const hxi_report *report, hxi_text *text)
{
    char words[WORDS];
    hxi_text_add(text, "libhx statistics of %s: %d rank%s, %s from the first start to the last finish\n",
                 report->spec, report->ranks, hxi_s(report->ranks), seconds_in_words(report->seconds, words));
    if (report->silent > 0) {
        hxi_text_add(text, "%d rank%s told nothing.\n", report->silent, hxi_s(report->silent));
    }
    if (report->slowest < 0 || !(report->seconds > 0.0)) {
        hxi_text_add(text, "No exchange was finished.\n");
        return;
    }
    hxi_text_add(text,
                 "\nOne exchange on one rank, on average; late and transfer are what it waits:\n"
                 "  %-*s%8s%10s%11s%9s%9s%9s%9s%9s%9s\n",
                 NAME, "exchange", "times", "messages", "bytes", "every", "pack", "copy", "late", "transfer",
                 "unpack");
    for (int e = 0; e < report->exchanges; ++e) {
        add_exchange(report, e, text);
    }
    add_balance(report, text);
    add_awaited(report, text);
    add_copying(report, text);
}
