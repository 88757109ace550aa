// Compares the scene with the model: everything visible to a caller, and the internal trees.
#include "api_model.h"
#include "block/leaf_boxes.h"
#include "geom/box.h"
#include "scene/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- bodies

static void check_vertices(const model_body* b, const fracas_scene* scene) {
    for (uint32_t v = 0; v < b->vertex_count + 2; v++) {
        double t0[3], t1[3];
        fracas_status status = fracas_scene_get_vertex(scene, b->handle, v, t0, t1);
        bool there = v < b->vertex_count && b->vertices[v].there;
        MODEL_REQUIRE(status == (there ? FRACAS_OK : FRACAS_ERROR_BAD_DATA), "vertex %u", v);
        if (!there) continue;
        MODEL_REQUIRE(memcmp(t0, b->vertices[v].at[0], sizeof t0) == 0, "vertex %u at t0", v);
        MODEL_REQUIRE(memcmp(t1, b->vertices[v].at[1], sizeof t1) == 0, "vertex %u at t1", v);
    }
}

static void check_triangles(const model_body* b, const fracas_scene* scene) {
    for (uint32_t t = 0; t < b->triangle_count + 2; t++) {
        uint32_t corners[3];
        fracas_status status = fracas_scene_get_triangle(scene, b->handle, t, corners);
        bool there = t < b->triangle_count && b->triangles[t].there;
        MODEL_REQUIRE(status == (there ? FRACAS_OK : FRACAS_ERROR_BAD_DATA), "triangle %u", t);
        if (there)
            MODEL_REQUIRE(memcmp(corners, b->triangles[t].corner, sizeof corners) == 0,
                          "triangle %u", t);
    }
}

static void check_body(const model_body* b, const fracas_scene* scene) {
    fracas_body_info info;
    MODEL_REQUIRE(fracas_scene_get_body(scene, b->handle, &info) == FRACAS_OK, "body");
    uint32_t vertices = 0, triangles = 0;
    for (uint32_t v = 0; v < b->vertex_count; v++) vertices += b->vertices[v].there;
    for (uint32_t t = 0; t < b->triangle_count; t++) triangles += b->triangles[t].there;
    MODEL_REQUIRE(info.motion == b->options.motion, "motion");
    MODEL_REQUIRE(info.vertex_numbers == b->vertex_count, "%u", info.vertex_numbers);
    MODEL_REQUIRE(info.triangle_numbers == b->triangle_count, "%u", info.triangle_numbers);
    MODEL_REQUIRE(info.vertices == vertices, "%u, not %u", info.vertices, vertices);
    MODEL_REQUIRE(info.triangles == triangles, "%u, not %u", info.triangles, triangles);
    MODEL_REQUIRE(info.free_edges == b->edge_count, "%u, not %u", info.free_edges, b->edge_count);
    MODEL_REQUIRE(info.free_vertices == b->point_count, "%u", info.free_vertices);
    check_vertices(b, scene);
    check_triangles(b, scene);
}

void model_check_bodies(const model* m, const fracas_scene* scene) {
    for (uint32_t i = 0; i < MODEL_BODIES; i++) {
        const model_body* b = &m->bodies[i];
        fracas_body_info info;
        if (b->there)
            check_body(b, scene);
        else if (b->handle.index)
            MODEL_REQUIRE(fracas_scene_get_body(scene, b->handle, &info) ==
                              FRACAS_ERROR_STALE_HANDLE,
                          "a removed body");
    }
}

void model_check_traces(const model* m, const fracas_scene* scene) {
    for (uint32_t i = 0; i < m->trace_count; i++) {
        const model_trace* t = &m->traces[i];
        fracas_element now;
        MODEL_REQUIRE(fracas_scene_trace(scene, &t->old, &now) == FRACAS_OK, "trace");
        if (t->body == MODEL_BODIES) {
            MODEL_REQUIRE(now.body.index == 0, "%u of body %u is removed", t->old.index,
                          t->old.body.index);
            continue;
        }
        fracas_body body = m->bodies[t->body].handle;
        MODEL_REQUIRE(now.body.index == body.index && now.body.generation == body.generation &&
                          now.kind == t->old.kind && now.index == t->index,
                      "%s %u of body %u is %u of %u, not %u of %u",
                      t->old.kind ? "triangle" : "vertex", t->old.index, t->old.body.index,
                      now.index, now.body.index, t->index, body.index);
    }
}

// ---- internal data

static void join_box(const fracas_scene* scene, int end, const uint32_t* point, int count,
                     float lo[3], float hi[3]) {
    for (int i = 0; i < count; i++) {
        const frc_point* p = &scene->topology.points.data[point[i]];
        const double at[3] = {p->x[end], p->y[end], p->z[end]};
        for (int k = 0; k < 3; k++) {
            const float low = frc_round_down(at[k]), next = nextafterf(low, INFINITY);
            lo[k] = i == 0 || low < lo[k] ? low : lo[k];
            hi[k] = i == 0 || next > hi[k] ? next : hi[k];
        }
    }
}

static void check_slot(const fracas_scene* scene, int end, const frc_box4* packet, uint32_t lane,
                       const uint32_t* point, int count) {
    float lo[3] = {0}, hi[3] = {0};
    join_box(scene, end, point, count, lo, hi);
    for (int k = 0; k < 3; k++)
        MODEL_REQUIRE(packet->lo[k][lane] == lo[k] && packet->hi[k][lane] == hi[k],
                      "a slot of %d points has the box [%g, %g], not [%g, %g]", count,
                      packet->lo[k][lane], packet->hi[k][lane], lo[k], hi[k]);
}

static void check_resting(const fracas_scene* scene, const frc_block* b, const frc_tree* tree) {
    for (uint32_t s = 0; s < b->face_slots; s++)
        if (b->faces[s].id != FRACAS_NONE)
            check_slot(scene, 1, &tree->face_box[s / 4], s % 4, b->faces[s].point, 3);
    for (uint32_t s = 0; s < b->edge_slots && b->free_elements; s++)
        if (b->edges[s].point[0] != FRACAS_NONE)
            check_slot(scene, 1, &tree->edge_box[s / 4], s % 4, b->edges[s].point, 2);
}

// All corners of the features in a leaf.
static int list_points(const frc_block* b, const frc_leaf* leaf, uint32_t* out) {
    int count = 0;
    for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++)
        for (int k = 0; k < 3 && b->faces[s].id != FRACAS_NONE; k++)
            out[count++] = b->faces[s].point[k];
    for (uint32_t s = leaf->edge; s < leaf->edge + leaf->edge_count; s++)
        for (int k = 0; k < 2 && b->edges[s].point[0] != FRACAS_NONE; k++)
            out[count++] = b->edges[s].point[k];
    for (uint32_t s = leaf->vertex; s < leaf->vertex + leaf->vertex_count; s++)
        if (b->vertices[s] != FRACAS_NONE) out[count++] = b->vertices[s];
    return count;
}

static void check_features(const fracas_scene* scene, const frc_block* b, const frc_leaf* leaf) {
    const frc_lows lows = frc_scene_lows(scene);
    frc_leaf_boxes features;
    frc_leaf_boxes_fit(b, leaf, &lows, &features);
    for (int end = 0; end < 2; end++) {
        for (uint32_t i = 0; i < leaf->face_count; i++)
            if (b->faces[leaf->face + i].id != FRACAS_NONE)
                check_slot(scene, end, &features.face[i / 4 * 2 + (uint32_t)end], i % 4,
                           b->faces[leaf->face + i].point, 3);
        for (uint32_t i = 0; i < leaf->edge_count; i++)
            if (b->edges[leaf->edge + i].point[0] != FRACAS_NONE)
                check_slot(scene, end, &features.edge[i / 4 * 2 + (uint32_t)end], i % 4,
                           b->edges[leaf->edge + i].point, 2);
        for (uint32_t i = 0; i < leaf->vertex_count; i++)
            if (b->vertices[leaf->vertex + i] != FRACAS_NONE)
                check_slot(scene, end, &features.vertex[i / 4 * 2 + (uint32_t)end], i % 4,
                           &b->vertices[leaf->vertex + i], 1);
    }
}

static void check_moving(const fracas_scene* scene, const frc_block* b, const frc_tree* tree) {
    for (uint32_t l = 0; l < b->leaf_count; l++) {
        const frc_leaf* leaf = &b->leaves[l];
        uint32_t point[3 * FRC_LEAF_SIZE + 2 * FRC_LEAF_EDGES + FRC_LEAF_POINTS];
        int count = leaf->parent == FRC_REF_NONE ? 0 : list_points(b, leaf, point);
        for (int end = 0; end < 2 && count > 0; end++) {
            const frc_box* box = &tree->leaf_box[2 * l + (uint32_t)end];
            float lo[3] = {0}, hi[3] = {0};
            join_box(scene, end, point, count, lo, hi);
            for (int k = 0; k < 3; k++)
                MODEL_REQUIRE(box->lo[k] == lo[k] && box->hi[k] == hi[k],
                              "a leaf of %d corners has the box [%g, %g], not [%g, %g]", count,
                              box->lo[k], box->hi[k], lo[k], hi[k]);
        }
        if (count > 0) check_features(scene, b, leaf);
    }
}

static void check_boxes(const fracas_scene* scene, const frc_block* b) {
    if (b->tree[FRC_BOXES_END].nodes) check_resting(scene, b, &b->tree[FRC_BOXES_END]);
    if (b->tree[FRC_BOXES_STEP].nodes) check_moving(scene, b, &b->tree[FRC_BOXES_STEP]);
}

static void check_place(const fracas_scene* scene, const frc_place* place, bool there,
                        uint32_t body, const char* what) {
    MODEL_REQUIRE((place->block != FRACAS_NONE) == there, "%s", what);
    if (!there) return;
    const frc_block* block = scene->blocks.data[place->block];
    MODEL_REQUIRE(block && block->body == body, "%s of body %u", what, body);
}

void model_check_blocks(const fracas_scene* scene) {
    const frc_topology* topology = &scene->topology;
    uint64_t live = 0, used = 0;
    for (uint32_t i = 0; i < scene->blocks.count; i++) {
        const frc_block* block = scene->blocks.data[i];
        if (!block) continue;
        live += block->live;
        const char* wrong = frc_block_validate(block, topology, i);
        MODEL_REQUIRE(!wrong, "%s", wrong ? wrong : "");
        check_boxes(scene, block);
    }
    const char* wrong =
        frc_top_tree_validate(&scene->top, scene->blocks.data, (uint32_t)scene->blocks.count);
    MODEL_REQUIRE(!wrong, "%s", wrong ? wrong : "");
    for (size_t i = 0; i < topology->triangles.count; i++) {
        const frc_triangle* t = &topology->triangles.data[i];
        if (t->point[0] == FRACAS_NONE) continue;
        check_place(scene, &t->place, true, t->body, "a triangle");
        used++;
    }
    for (size_t i = 0; i < topology->edges.count; i++) {
        const frc_edge* e = &topology->edges.data[i];
        if (e->point[0] == FRACAS_NONE) continue;
        uint32_t body = topology->points.data[e->point[0]].tag[FRC_TAG_BODY];
        check_place(scene, &e->place, true, body, "an edge");
        used++;
    }
    for (size_t i = 0; i < topology->points.count; i++) {
        uint32_t body = topology->points.data[i].tag[FRC_TAG_BODY];
        const frc_vertex_use* use = &topology->uses.data[i];
        if (body == FRACAS_NONE) continue;
        bool there = use->triangles || use->free_edges || use->free_point;
        check_place(scene, &use->place, there, body, "a point");
        used += there;
    }
    MODEL_REQUIRE(live == used, "there are %u features, but %u in blocks", (uint32_t)used,
                  (uint32_t)live);
}

// ---- queries

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_contact(const fracas_contact* a, const fracas_contact* b) {
    bool same = a->kind == b->kind && memcmp(&a->body_a, &b->body_a, sizeof a->body_a) == 0 &&
                memcmp(&a->body_b, &b->body_b, sizeof a->body_b) == 0 &&
                memcmp(a->a, b->a, sizeof a->a) == 0 && memcmp(a->b, b->b, sizeof a->b) == 0 &&
                same_bits(a->toi, b->toi) && same_bits(a->u, b->u) && same_bits(a->v, b->v) &&
                same_bits(a->distance, b->distance);
    for (int k = 0; k < 3; k++) same = same && same_bits(a->normal[k], b->normal[k]);
    return same;
}

static const fracas_contact* at(const fracas_contact* list, size_t count, size_t i) {
    static const fracas_contact none = {.kind = (fracas_contact_kind)99};
    return i < count ? &list[i] : &none;
}

void model_require_same(const fracas_contact* a, size_t a_count, const fracas_contact* b,
                        size_t b_count, const char* what) {
    size_t larger = a_count > b_count ? a_count : b_count;
    for (size_t i = 0; i < larger; i++) {
        const fracas_contact *x = at(a, a_count, i), *y = at(b, b_count, i);
        MODEL_REQUIRE(
            same_contact(x, y),
            "%s: contact %zu of %zu and %zu: kind %d: body %u %u,%u with %u %u,%u at %.17g "
            "(%.17g, %.17g); kind %d: body %u %u,%u with %u %u,%u at %.17g (%.17g, %.17g)",
            what, i, a_count, b_count, (int)x->kind, x->body_a.index, x->a[0], x->a[1],
            x->body_b.index, x->b[0], x->b[1], x->toi, x->u, x->v, (int)y->kind, y->body_a.index,
            y->a[0], y->a[1], y->body_b.index, y->b[0], y->b[1], y->toi, y->u, y->v);
    }
}

static void check_statistics(const fracas_statistics* s, const model_contacts* wanted,
                             const fracas_query* query) {
    uint64_t kinds[6] = {0};
    double earliest = INFINITY;
    for (size_t i = 0; i < wanted->count; i++) {
        const fracas_contact* c = &wanted->data[i];
        kinds[c->kind]++;
        if (c->kind >= FRACAS_CONTACT_VF && c->toi < earliest) earliest = c->toi;
    }
    MODEL_REQUIRE(memcmp(kinds, s->contacts, sizeof kinds) == 0, "counts by kind");
    MODEL_REQUIRE(s->earliest_toi == earliest, "%g, not %g", s->earliest_toi, earliest);
    // Ignored pairs are counted among pairs whose boxes overlap: the model has no such boxes.
    if (query->siblings != FRACAS_SIBLINGS_IGNORE)
        MODEL_REQUIRE(s->siblings_left_out == wanted->left_out, "%llu, not %llu",
                      (unsigned long long)s->siblings_left_out,
                      (unsigned long long)wanted->left_out);
}

size_t model_check_query(const model* m, const fracas_scene* scene, const fracas_query* query,
                         bool boxes) {
    model_contacts wanted = {0};
    model_detect(m, query, boxes, &wanted);
    fracas_contacts* got = NULL;
    MODEL_REQUIRE(fracas_contacts_create(scene->context, &got) == FRACAS_OK, "no memory");
    fracas_sink sink = fracas_contacts_get_sink(got);
    fracas_status status = fracas_scene_detect(scene, query, &sink);
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    size_t count;
    const fracas_contact* data = fracas_contacts_get_data(got, &count);
    model_require_same(data, count, wanted.data, wanted.count, "scene and model");
    check_statistics(fracas_contacts_get_statistics(got), &wanted, query);
    fracas_contacts_destroy(got);
    model_contacts_release(&wanted);
    return count;
}

size_t model_check_nearby(const model* m, const fracas_scene* scene, double distance, bool boxes) {
    model_contacts wanted = {0};
    model_nearby(m, distance, boxes, &wanted);
    fracas_contacts* got = NULL;
    MODEL_REQUIRE(fracas_contacts_create(scene->context, &got) == FRACAS_OK, "no memory");
    fracas_sink sink = fracas_contacts_get_sink(got);
    fracas_status status = fracas_scene_nearby(scene, distance, &sink);
    MODEL_REQUIRE(status == FRACAS_OK, "%s", fracas_status_get_name(status));
    size_t count;
    const fracas_contact* data = fracas_contacts_get_data(got, &count);
    model_require_same(data, count, wanted.data, wanted.count, "nearby: scene and model");
    fracas_contacts_destroy(got);
    model_contacts_release(&wanted);
    return count;
}

void model_check_max_step(const fracas_scene* scene, const fracas_query* given) {
    fracas_query query = *given;
    query.modes = FRACAS_MODE_CONTINUOUS;
    fracas_statistics statistics;
    fracas_sink sink = {.statistics = &statistics};
    MODEL_REQUIRE(fracas_scene_detect(scene, &query, &sink) == FRACAS_OK, "detect");
    double step = -1, wanted = statistics.earliest_toi < 1 ? statistics.earliest_toi : 1;
    MODEL_REQUIRE(fracas_scene_max_step(scene, &query, &step) == FRACAS_OK, "max_step");
    MODEL_REQUIRE(step == wanted, "%.17g, not %.17g", step, wanted);
}
