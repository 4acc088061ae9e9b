#include "base/lease.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

/* Of all lists: threads may begin and end uses of one thing at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void hxi_lease_begin(hxi_lease **first, hxi_lease *use, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(use->why, sizeof use->why, format, values);
    va_end(values);
    pthread_mutex_lock(&lock);
    use->first = first;
    use->next = *first;
    *first = use;
    pthread_mutex_unlock(&lock);
}

void hxi_lease_end(hxi_lease *use)
{
    if (!use->first) {
        return;
    }
    pthread_mutex_lock(&lock);
    hxi_lease **link = use->first;
    while (*link != use) {
        link = &(*link)->next;
    }
    *link = use->next;
    use->first = NULL;
    pthread_mutex_unlock(&lock);
}

void hxi_lease_why(hxi_lease *const *first, char why[HX_USE])
{
    pthread_mutex_lock(&lock);
    snprintf(why, HX_USE, "%s", *first ? (*first)->why : "");
    pthread_mutex_unlock(&lock);
}
