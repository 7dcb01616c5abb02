/* SPDX-License-Identifier: MIT */
/* The functions behind the table of studies; docs/studies.md says what each shows. */
#pragma once

#include "study/study.h"

ts_status ts_study_everyday(ts_study *study, ts_error *error); /* everyday.c */
ts_status ts_study_gradient_flow(ts_study *study, ts_error *error);
ts_status ts_study_box_manifold(ts_study *study, ts_error *error);        /* box_manifold.c */
ts_status ts_study_choose_counts(ts_study *study, ts_error *error);       /* choose_counts.c */
ts_status ts_study_manifold_impact(ts_study *study, ts_error *error);     /* manifold_impact.c */
ts_status ts_study_rollouts(ts_study *study, ts_error *error);            /* rollouts.c */
ts_status ts_study_edge_witness(ts_study *study, ts_error *error);        /* edge_witness.c */
ts_status ts_study_sdf_smoothing(ts_study *study, ts_error *error);       /* sdf_smoothing.c */
ts_status ts_study_one_heap(ts_study *study, ts_error *error);            /* one_heap.c */
ts_status ts_study_disc_analytic(ts_study *study, ts_error *error);       /* disc_analytic.c */
ts_status ts_study_scale(ts_study *study, ts_error *error);               /* scale.c */
ts_status ts_study_outlines(ts_study *study, ts_error *error);            /* outlines.c */
ts_status ts_study_maps(ts_study *study, ts_error *error);                /* maps.c */
ts_status ts_study_leaning_block(ts_study *study, ts_error *error);       /* validation_leaning.c */
ts_status ts_study_triangle(ts_study *study, ts_error *error);            /* validation_tent.c */
ts_status ts_study_inclined_plane(ts_study *study, ts_error *error);      /* validation_slope.c */
ts_status ts_study_packing(ts_study *study, ts_error *error);             /* packing.c */
ts_status ts_study_column_collapse(ts_study *study, ts_error *error);     /* column_collapse.c */
ts_status ts_study_maps_matter(ts_study *study, ts_error *error);         /* maps_matter.c */
ts_status ts_study_silo(ts_study *study, ts_error *error);                /* silo.c */
ts_status ts_study_drum(ts_study *study, ts_error *error);                /* drum.c */
ts_status ts_study_cereal(ts_study *study, ts_error *error);              /* cereal.c */
ts_status ts_study_chain(ts_study *study, ts_error *error);               /* chain.c */
ts_status ts_study_bernoulli(ts_study *study, ts_error *error);           /* impact_models.c */
ts_status ts_study_cradle(ts_study *study, ts_error *error);              /* impact_models.c */
ts_status ts_study_inelastic_collapse(ts_study *study, ts_error *error);  /* inelastic_collapse.c */
ts_status ts_study_pool_break(ts_study *study, ts_error *error);          /* pool_break.c */
ts_status ts_study_four_balls(ts_study *study, ts_error *error);          /* drum_balls.c */
ts_status ts_study_drum_energy(ts_study *study, ts_error *error);         /* drum_balls.c */
ts_status ts_study_fountain(ts_study *study, ts_error *error);            /* fountain.c */
ts_status ts_study_impact_scaling(ts_study *study, ts_error *error);      /* impact_scaling.c */
ts_status ts_study_maxwell_demon(ts_study *study, ts_error *error);       /* maxwell_demon.c */
ts_status ts_study_grains_impact(ts_study *study, ts_error *error);       /* grains_impact.c */
ts_status ts_study_space_penalty(ts_study *study, ts_error *error);       /* space_penalty.c */
ts_status ts_study_box_drop(ts_study *study, ts_error *error);            /* box_drop.c */
ts_status ts_study_matryoshka(ts_study *study, ts_error *error);          /* matryoshka.c */
ts_status ts_study_eight_cubes(ts_study *study, ts_error *error);         /* space_symmetry.c */
ts_status ts_study_trefoil(ts_study *study, ts_error *error);             /* space_symmetry.c */
ts_status ts_study_two_bodies_box(ts_study *study, ts_error *error);      /* space_symmetry.c */
ts_status ts_study_patterns(ts_study *study, ts_error *error);            /* patterns.c */
ts_status ts_study_teapot(ts_study *study, ts_error *error);              /* teapot.c */
ts_status ts_study_dissipation(ts_study *study, ts_error *error);         /* dissipation.c */
ts_status ts_study_nonlinear_potential(ts_study *study, ts_error *error); /* nonlinear_potential.c */
ts_status ts_study_fit(ts_study *study, ts_error *error);                 /* fit.c */
