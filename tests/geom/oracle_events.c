// Roots of the coplanarity polynomial, or of all conditions where it vanishes identically.
#include "oracle_events.h"

typedef struct verdict {
    const oracle_events* e;
    bool after_start, touches;
    oracle_claim* claims;
    int claim_count;
} verdict;

static bool is_zero(const sturm_root* r) { return r->exact && mpz_sgn(r->x) == 0; }

static void note(verdict* v, const sturm_root* at) {
    v->touches = true;
    for (int i = 0; i < v->claim_count; i++) {
        oracle_claim* const c = &v->claims[i];
        if (sturm_compare(at, c->toi) < 0) c->not_late = false;
        if (sturm_compare(at, c->toi + c->tolerance) <= 0) c->close = true;
    }
}

static void try_roots(verdict* v, const sturm_poly* p) {
    if (p->degree <= 0) return;
    static sturm_root
        r[STURM_DEGREE];  // static, to keep their memory between calls: not thread-safe
    static bool ready;
    for (int i = 0; !ready && i < STURM_DEGREE; i++) sturm_root_init(&r[i]);
    ready = true;
    const int count = sturm_isolate(p, r);
    for (int i = 0; i < count; i++)
        if (!(v->after_start && is_zero(&r[i])) && v->e->touching(v->e->model, &r[i]))
            note(v, &r[i]);
}

// A power of two below every event after 0.
static unsigned long below_events(const oracle_events* e) {
    unsigned long k = 1;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    for (int i = 0; i < e->count; i++) {
        const sturm_poly* const p = e->event[i];
        if (p->degree <= 0) continue;
        while (sturm_sign_dyadic(p, one, k) == 0 || sturm_count_below(p, k)) k += k / 4 + 1;
    }
    mpz_clear(one);
    return k;
}

static void try_events(verdict* v) {
    sturm_root at;
    sturm_root_init(&at);
    at.exact = true;
    at.k = 0;
    if (v->after_start) {
        // Contact right after 0: the infimum is 0, so any claim must be 0.
        mpz_set_ui(at.x, 1);
        at.k = below_events(v->e);
    }
    if (v->e->touching(v->e->model, &at)) {
        mpz_set_ui(at.x, 0);
        at.k = 0;
        note(v, &at);
    }
    sturm_root_clear(&at);
    for (int i = 0; i < v->e->count; i++) try_roots(v, v->e->event[i]);
}

bool oracle_decide(const oracle_events* e, bool after_start, oracle_claim* claims, int count) {
    for (int i = 0; i < count; i++) claims[i].not_late = true, claims[i].close = false;
    verdict v = {e, after_start, false, claims, count};
    if (e->coplanar->degree >= 0)
        try_roots(&v, e->coplanar);
    else
        try_events(&v);
    return v.touches;
}
