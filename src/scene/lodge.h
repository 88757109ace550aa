/// @file lodge.h  Large parts that break off stay in the block they stand in until the next update.
#pragma once
#include "scene/scene.h"

/// May a part of so many triangles, which all stand in this block, lodge there?
bool frc_may_lodge(const fracas_scene* scene, uint32_t block, uint32_t triangles);
/// A part that has just become a body lodges in a block: its features stand there.
void frc_lodge(fracas_scene* scene, uint32_t body, uint32_t block);
/// Does any other body have features in blocks of this one?
bool frc_has_lodgers(const fracas_scene* scene, const frc_body* body);

/// An update begins: blocks that have lost most of their triangles to lodgers are to break, and of
/// other blocks lodgers are taken out. False: no memory, nothing is lost.
bool frc_lodgers_begin(fracas_scene* scene);
/// The block that is to break in this update and has features of a body, or FRACAS_NONE.
uint32_t frc_breaking_block(const fracas_scene* scene, const frc_body* body);
/// Are the lists of a lodger still right: does it have the triangles with which it broke off?
bool frc_lodger_is_whole(const frc_body* body);
/// The triangles of a body that stand in a block, in order: ids, slots, and where to cut that. The
/// lists are empty. False: no memory.
bool frc_list_in_block(const fracas_scene* scene, uint32_t body, uint32_t block, frc_ids* ids,
                       frc_ids* slots, frc_ids* cuts);
/// The features of a lodger stand in a block of its own.
void frc_lodger_left(fracas_scene* scene, uint32_t body);

/// Features of a new block have places that name another one, which is to be dropped.
void frc_unplaced_name(fracas_scene* scene, frc_block* block, uint32_t names);
/// It has its number: its features are told later, little by little.
void frc_unplaced_enter(fracas_scene* scene, uint32_t block);
/// Tell some.
void frc_place_some(fracas_scene* scene);
/// An edit will ask for the places of a body's features.
void frc_need_places(fracas_scene* scene, uint32_t body);

/// Before a body is merged with others it neither lodges nor has lodgers: what it has in a common
/// block waits. False: no memory, nothing has changed.
bool frc_part_lodgers(fracas_scene* scene, uint32_t body);
/// Before a body is removed: the same without waiting.
void frc_leave_lodgings(fracas_scene* scene, uint32_t body);
