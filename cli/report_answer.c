/// @file report_answer.c  What was found, in one sentence; the totals in another.
#include "fracas/contact.h"
#include "grid.h"
#include "report.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct sentence {
    char text[CLI_ANSWER];
    size_t length;
} sentence;

// Append; what exceeds the capacity is cut off.
__attribute__((format(printf, 2, 3))) static void say(sentence* s, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written =
        vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
    if (written > 0) s->length += (size_t)written;
    if (s->length >= sizeof s->text) s->length = sizeof s->text - 1;
}

static void say_body(sentence* s, const cli_results* r, uint32_t body) {
    if (r->bodies && body < r->body_count)
        say(s, "%s", r->bodies[body]);
    else
        say(s, "body %u", body);
}

// ---- who does what

// Contacts but for bodies inside others.
static uint64_t count_contacts(const cli_summary* sum) {
    return sum->all_contacts - sum->counts.contacts[CLI_INSIDE];
}

// "1,092 triangle pairs in 3 places"
static void say_counts(sentence* s, const cli_results* r, const cli_summary* sum) {
    const uint64_t *c = sum->counts.contacts, all = count_contacts(sum);
    const char* what = c[FRACAS_CONTACT_TT] == all ? "triangle pair" : "contact";
    char number[32];
    if (c[CLI_VT] == all && !r->points)
        say(s, ": %s %s inside", cli_number(all, number), all == 1 ? "vertex" : "vertices");
    else
        say(s, ": %s %s%s", cli_number(all, number), what, all == 1 ? "" : "s");
    if (sum->counts.places && c[FRACAS_CONTACT_TT] == all)
        say(s, " in %s place%s", cli_number(sum->counts.places, number),
            sum->counts.places == 1 ? "" : "s");
}

// Do the bodies have a contact, or is one inside the other?
static bool has_contact(const cli_pair* pair) {
    for (int k = 0; k < CLI_INSIDE; k++)
        if (pair->contacts[k] > 0) return true;
    return false;
}

// "a.ply intersects b.ply"
static void say_pairs(sentence* s, const cli_results* r, const cli_summary* sum) {
    const uint64_t* c = sum->counts.contacts;
    const cli_pair* one = NULL;
    size_t pairs = 0;
    for (size_t i = 0; i < r->pairs->count; i++)
        if (has_contact(&r->pairs->data[i])) one = &r->pairs->data[i], pairs++;
    const bool discrete = c[FRACAS_CONTACT_TT] + c[FRACAS_CONTACT_ET] == count_contacts(sum);
    const char* verb = c[CLI_VT] && !r->points            ? "overlap"
                       : discrete && sum->counts.crossing ? "intersect"
                       : pairs == 1                       ? "touche"
                                                          : "touch";
    char number[32];
    if (pairs != 1) {
        say(s, "%s pairs of bodies %s", cli_number(pairs, number), verb);
        return;
    }
    say_body(s, r, one->body_a);
    say(s, " %ss ", verb);
    if (one->body_a == one->body_b)
        say(s, "itself");
    else
        say_body(s, r, one->body_b);
}

// "b.ply is inside a.ply"
static void say_inside(sentence* s, const cli_results* r) {
    const cli_pair* one = NULL;
    size_t pairs = 0;
    for (size_t i = 0; i < r->pairs->count; i++)
        if (r->pairs->data[i].contacts[CLI_INSIDE]) one = &r->pairs->data[i], pairs++;
    if (pairs == 1) {
        say_body(s, r, one->inner);
        say(s, " is inside ");
        say_body(s, r, one->inner == one->body_a ? one->body_b : one->body_a);
    } else {
        char number[32];
        say(s, "%s bodies are inside others", cli_number(pairs, number));
    }
}

// "a.ply and b.ply do not touch each other or themselves"
static void say_nothing(sentence* s, const cli_results* r) {
    const cli_step* last = &r->steps[r->count - 1];
    const char* frames = r->count > 1 || last->moves ? "" : NULL;
    if (r->body_count == 1 || !r->bodies) {
        if (r->bodies)
            say_body(s, r, 0);
        else
            say(s, "the scene");
        say(s, frames ? " does not touch itself" : " does not intersect itself");
    } else if (r->body_count == 2) {
        say_body(s, r, 0);
        say(s, " and ");
        say_body(s, r, 1);
        say(s, " do not touch each other or themselves");
    } else
        say(s, "%u bodies do not touch each other or themselves", r->body_count);
    if (frames) say(s, " from frame %u to %u", r->steps[0].frame - r->steps[0].moves, last->frame);
}

// ---- when

// "in frames 8 to 45, first at 8.31"
static void say_when(sentence* s, const cli_results* r) {
    const cli_step *first = NULL, *last = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        if (cli_step_contacts(&r->steps[i]) == r->steps[i].counts.contacts[CLI_INSIDE]) continue;
        if (!first) first = &r->steps[i];
        last = &r->steps[i];
    }
    const uint32_t from = first->frame - first->moves;
    if (from == last->frame)
        say(s, " in frame %u", from);
    else
        say(s, " in frames %u to %u", from, last->frame);
    if (isfinite(first->earliest_toi) && first->moves)
        say(s, ", first at %.2f", from + first->earliest_toi);
}

const char* cli_answer(const cli_results* r, char text[CLI_ANSWER]) {
    snprintf(text, CLI_ANSWER, "nothing was checked");
    if (r->count == 0) return text;
    const cli_summary sum = cli_summarise(r->steps, r->count);
    sentence s = {.length = 0};
    if (sum.all_contacts == 0) say_nothing(&s, r);
    if (count_contacts(&sum) > 0) {
        say_pairs(&s, r, &sum);
        if (r->count > 1 || r->steps[0].moves) say_when(&s, r);
        say_counts(&s, r, &sum);
    }
    if (count_contacts(&sum) > 0 && sum.counts.contacts[CLI_INSIDE] > 0) say(&s, "; ");
    if (sum.counts.contacts[CLI_INSIDE] > 0) say_inside(&s, r);
    return memcpy(text, s.text, sizeof s.text);
}

// ---- totals

void cli_report_totals(const cli_results* r) {
    const cli_summary sum = cli_summarise(r->steps, r->count);
    sentence s = {.length = 0};
    char number[32];
    say(&s, "%u step%s", r->count, r->count == 1 ? "" : "s");
    const char* before = ": ";
    for (int k = 0; k < CLI_KINDS; k++) {
        const uint64_t count = sum.counts.contacts[cli_kinds[k]];
        if (count == 0) continue;
        say(&s, "%s%s %s", before, cli_number(count, number), cli_kind_name(cli_kinds[k]));
        before = ", ";
    }
    if (sum.all_contacts == 0) say(&s, ": no contacts");
    if (sum.counts.edits) say(&s, ", %s elements edited", cli_number(sum.counts.edits, number));
    if (sum.counts.siblings_left_out)
        say(&s, ", %s sibling pairs left out", cli_number(sum.counts.siblings_left_out, number));
    if (r->count > 0 && r->steps[0].misses_counted)
        say(&s, ", %s missed by culling", cli_number(sum.counts.missed, number));
    if (sum.restarts) say(&s, ", %s restarts", cli_number(sum.restarts, number));
    say(&s, "; %.1f ms", sum.ms.total);
    if (sum.ms.read > 0) say(&s, ", %s %.1f ms", r->input, sum.ms.read);
    cli_print_line(s.text, false);
}
