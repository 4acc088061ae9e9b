/*
 * JSON, written value by value into a text of unknown length: {"rank": 0, "ranks": [0, 1]}.
 */
#ifndef HX_JSON_H
#define HX_JSON_H

#include "base/text.h"

#include <stdbool.h>

/* Starts as {.text = ...}. */
typedef struct hxi_json {
    hxi_text text;
    bool follows; /* a value stands in front of the next one */
} hxi_json;

/*
 * In an object each value has a key; in a list, and outside of all, the key is NULL.  bracket: '{' or '[',
 * and for close '}' or ']'.
 */
void hxi_json_open(hxi_json *json, const char *key, char bracket);
void hxi_json_close(hxi_json *json, char bracket);

/* value: NULL for none, which is null. */
void hxi_json_string(hxi_json *json, const char *key, const char *value);
void hxi_json_number(hxi_json *json, const char *key, int64_t value);
void hxi_json_bool(hxi_json *json, const char *key, bool value);

/* With nine digits behind the point, whatever the locale takes for one. */
void hxi_json_seconds(hxi_json *json, const char *key, double value);

void hxi_json_numbers(hxi_json *json, const char *key, const int value[], int count);

/* A value that is JSON already. */
void hxi_json_value(hxi_json *json, const char *key, const char *value);

#endif
