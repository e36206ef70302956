#include "sim/cli/diff/diff.h"

#include <math.h>
#include <string.h>

/* True if the text begins with a word of `len` bytes, and no longer one: "noc" begins "noc_reply". */
static bool begins(const char *text, const char *word, size_t len) {
    return strncmp(text, word, len) == 0 && (text[len] == 0 || text[len] == '_');
}

/* Finds the use of a part as a share of its peak, in the run that used it most. */
static void find_use(const struct sides *launches, const char *word, size_t len, double *use) {
    for (u32 i = 0; i < launches->n; i++) {
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(launches->of[i], "metrics"), name, value) {
            if (strncmp(name, "sol.", 4) == 0 && begins(name + 4, word, len))
                *use = fmax(*use, fmin(1, json_number_value(value) / 100));
        }
    }
}

/* Finds the use of a part and those after it, which get their work from it. */
static void find_uses(const struct sides *launches, const char *word, size_t len, double *use) {
    static const char *const way[] = {"l1", "pipe", "noc", "l2", "dram"};
    bool found = false;
    find_use(launches, word, len, use);
    for (size_t i = 0; i < COUNT_OF(way); i++) {
        if (found)
            find_use(launches, way[i], strlen(way[i]), use);
        found |= len == strlen(way[i]) && strncmp(word, way[i], len) == 0;
    }
}

static bool has_metrics(const struct sides *launches) {
    bool any = false;
    for (u32 i = 0; i < launches->n; i++)
        any |= json_object_size(json_object_get(launches->of[i], "metrics")) > 0;
    return any;
}

static double waiting(const struct sides *launches) {
    double most = 0;
    for (u32 i = 0; i < launches->n; i++) {
        const json_t *selected = json_object_get(json_object_get(launches->of[i], "metrics"), "stall_share.selected");
        if (selected)
            most = fmax(most, 1 - json_number_value(selected) / 100);
    }
    return most;
}

/* Computes the share of a class in the instructions issued, with the classes below it ("ld" with "ld.global"). */
static double class_share(const struct sides *launches, const char *class) {
    double most = 0;
    for (u32 i = 0; i < launches->n; i++) {
        double own = 0, all = 0;
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(launches->of[i], "classes"), name, value) {
            bool of_class = strncmp(name, class, strlen(class)) == 0 && strchr(".", name[strlen(class)]);
            own += of_class ? json_number_value(value) : 0;
            all += json_number_value(value);
        }
        most = fmax(most, all > 0 ? own / all : 0);
    }
    return most;
}

/* True for keys of optional parts that a launch did not use, by their counters. */
static bool unused(const struct sides *launches, const char *name) {
    static const struct {
        const char *keys, *counter;
    } owners[] = {{"barrier.fence", "sm.fences"}, {"barrier.", "sm.barriers"}, {"fetch.", "sm.fetch_misses"}};
    for (size_t k = 0; k < COUNT_OF(owners); k++) {
        double count = 0;
        for (u32 i = 0; i < launches->n; i++)
            count += json_number_value(json_object_get(json_object_get(launches->of[i], "metrics"), owners[k].counter));
        if (strncmp(name, owners[k].keys, strlen(owners[k].keys)) == 0)
            return count == 0;
    }
    return strncmp(name, "energy.", 7) == 0 || strncmp(name, "power.", 6) == 0 ||
           strcmp(name, "launch.overhead_cycles") == 0 || /* printed with the time */
           strcmp(name, "launch.own_cycles") == 0;
}

double diff_use(const struct sides *launches, const char *name) {
    const char *class = strncmp(name, "latency.", 8) == 0  ? name + 8
                        : strncmp(name, "passes.", 7) == 0 ? name + 7
                        : strncmp(name, "slots.", 6) == 0  ? name + 6
                                                           : NULL;
    bool latency = false;
    double use = -1;
    if (!has_metrics(launches))
        return 1;
    if (class || unused(launches, name))
        return class ? class_share(launches, class) : 0;
    for (size_t at = 0, len; name[at]; at += len + (name[at + len] != 0)) {
        len = strcspn(name + at, "._");
        latency |= len == strlen("latency") && strncmp(name + at, "latency", len) == 0;
        find_uses(launches, name + at, len, &use);
    }
    return use < 0 ? 1 : latency && use > 0 ? waiting(launches) : use;
}
