/// @file stream.h  The contacts of a search in windows of bounded size, in an order that does not
/// depend on the number of workers.
#pragma once
#include "detect/search.h"
#include "fracas/stream.h"

/// Called on the calling thread with the contacts of a window, sorted. Sets `*more` to false to
/// stop. False: no memory.
typedef bool frc_window_fn(const fracas_contact* contacts, size_t count, bool* more, void* user);

/// Run one search, window by window. The contacts of one pair of leaves are in one window, which
/// may then have more than `limit` contacts. Windows may be empty. `*more`: as set by the last call
/// of `report`; no more windows follow if it is false. Statistics are those of reported windows.
fracas_status frc_search_in_windows(const frc_world* world, const frc_search_options* options,
                                    size_t limit, frc_window_fn* report, void* user, bool* more,
                                    fracas_statistics* statistics);

/// The contacts of a query in blocks of records. `distance` below 0: the query; otherwise nearby
/// pairs.
fracas_status frc_stream(const frc_world* world, const fracas_query* query, double distance,
                         const fracas_stream* stream);

/// frc_search for the first query->max_contacts contacts in the order of windows; they are appended
/// to `out`, sorted. Sets statistics->limit_reached, and the counts to those of the contacts.
fracas_status frc_search_limited(const frc_world* world, const frc_search_options* options,
                                 frc_contact_list* out, fracas_statistics* statistics);
