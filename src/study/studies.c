/* SPDX-License-Identifier: MIT */
/* The table of studies. */
#include "study/studies.h"

const ts_study_entry ts_study_table[] = {
    {"disc-analytic", "a few discs, and a free cloud, against closed forms",
     "Cundall and Strack 1979, Schwager and Pöschel 2007", ts_study_disc_analytic},
    {"scale", "one scene at 1e-3, 1 and 1e3 of its size does the same", "Froude similarity", ts_study_scale},
    {"outlines", "area, inertia, distance and symmetry of twenty-one outlines",
     "closed forms, 10⁷ thrown points, a look at every edge", ts_study_outlines},
    {"maps", "contact maps of pairs of grains: bytes, training, errors", "CEM, sections 6 and 8", ts_study_maps},
    {"leaning-block", "a block in a corner slides or holds as statics says", "CEM, section 8.1, Fig. 3 (1)",
     ts_study_leaning_block},
    {"triangle", "two blocks against each other stand or fall likewise", "CEM, section 8.1, Fig. 3 (2)",
     ts_study_triangle},
    {"inclined-plane", "a block on a slope of 16°, face on face", "CEM, section 8.1, Fig. 3 (3)",
     ts_study_inclined_plane},
    {"packing", "parts of a circle fall into a column", "CEM, section 8.4, Fig. 7", ts_study_packing},
    {"column-collapse", "columns of O, U, N and # lose a wall", "CEM, section 8.2, Fig. 4", ts_study_column_collapse},
    {"maps-matter", "the same columns and silos by three kinds of maps", "CEM, sections 6 and 8", ts_study_maps_matter},
    {"silo", "octagons and # run out of a silo, or jam; Beverloo's law", "CEM, section 8.3, Figs. 5, 6", ts_study_silo},
    {"drum", "nine shapes that spell I ♥ GRAPHICS tumble in a drum", "CEM, section 8.5, Fig. 1", ts_study_drum},
    {"cereal", "U, D, O and N are poured into a bowl", "CEM, section 8.6, Fig. 8", ts_study_cereal},
    {"chain", "links hold together by their form, and snap when dropped", "CEM, sections 8.7, 9, Fig. 9",
     ts_study_chain},
    {"bernoulli", "one ball against two, by every impact operator", "GR, sections 1 to 5", ts_study_bernoulli},
    {"cradle", "3 to 100 balls in a row, by every impact operator", "GR, sections 1 to 5", ts_study_cradle},
    {"inelastic-collapse", "pairs that keep c of their rate may never end", "GR, section 5, Fig. 4",
     ts_study_inelastic_collapse},
    {"pool-break", "55 balls and a cue ball keep their mirror image", "GR, section 9, Fig. 5", ts_study_pool_break},
    {"four-balls", "four balls in a drum keep theirs for a long time", "GR, section 9, Fig. 7", ts_study_four_balls},
    {"drum-energy", "81 balls in a drum keep their energy", "GR, section 9", ts_study_drum_energy},
    {"fountain", "a block of balls splashes, or bounces as one", "GR, section 9, Fig. 6", ts_study_fountain},
    {"maxwell-demon", "balls in a shaken box gather on one side of a fence", "GR, section 11.3, Fig. 11",
     ts_study_maxwell_demon},
};
const size_t ts_study_table_count = sizeof ts_study_table / sizeof ts_study_table[0];
