/* SPDX-License-Identifier: MIT */
/* Tables of runs in space. */
#include "record/export_csv_table.h"

#define SPACE   (r->header->space)
#define BODY    (r->frame->body3[r->item])
#define MADE    (SPACE->body[r->item])
#define FORM    (SPACE->form[MADE.form])
#define WALL    (r->frame->wall3[r->item])
#define BUILT   (SPACE->wall[r->item])
#define CONTACT (r->frame->contact3[r->item])

TS_CSV_COLUMN(body_x, ts_csv_double(BODY.pose.position.x))
TS_CSV_COLUMN(body_y, ts_csv_double(BODY.pose.position.y))
TS_CSV_COLUMN(body_z, ts_csv_double(BODY.pose.position.z))
TS_CSV_COLUMN(body_qw, ts_csv_double(BODY.pose.quat.w))
TS_CSV_COLUMN(body_qx, ts_csv_double(BODY.pose.quat.x))
TS_CSV_COLUMN(body_qy, ts_csv_double(BODY.pose.quat.y))
TS_CSV_COLUMN(body_qz, ts_csv_double(BODY.pose.quat.z))
TS_CSV_COLUMN(body_vx, ts_csv_float(BODY.velocity[0]))
TS_CSV_COLUMN(body_vy, ts_csv_float(BODY.velocity[1]))
TS_CSV_COLUMN(body_vz, ts_csv_float(BODY.velocity[2]))
TS_CSV_COLUMN(body_spin_x, ts_csv_float(BODY.spin[0]))
TS_CSV_COLUMN(body_spin_y, ts_csv_float(BODY.spin[1]))
TS_CSV_COLUMN(body_spin_z, ts_csv_float(BODY.spin[2]))
TS_CSV_COLUMN(body_present, ts_csv_int(BODY.present))
TS_CSV_COLUMN(body_shape, ts_csv_int(FORM.shape))
TS_CSV_COLUMN(body_shape_name, ts_csv_text(SPACE->shape_name[FORM.shape]))
TS_CSV_COLUMN(body_material, ts_csv_int(MADE.material))
TS_CSV_COLUMN(body_material_name, ts_csv_text(r->header->material_name[MADE.material]))
TS_CSV_COLUMN(body_scale, ts_csv_double(FORM.scale))
TS_CSV_COLUMN(body_radius, ts_csv_double(MADE.radius))
TS_CSV_COLUMN(body_mass, ts_csv_double(MADE.mass))
TS_CSV_COLUMN(body_fixed, ts_csv_int(MADE.fixed))

TS_CSV_COLUMN(wall_name, ts_csv_text(BUILT.name))
TS_CSV_COLUMN(wall_source, ts_csv_int(BUILT.source))
TS_CSV_COLUMN(wall_material, ts_csv_int(BUILT.material))
TS_CSV_COLUMN(wall_x, ts_csv_double(WALL.pose.position.x))
TS_CSV_COLUMN(wall_y, ts_csv_double(WALL.pose.position.y))
TS_CSV_COLUMN(wall_z, ts_csv_double(WALL.pose.position.z))
TS_CSV_COLUMN(wall_qw, ts_csv_double(WALL.pose.quat.w))
TS_CSV_COLUMN(wall_qx, ts_csv_double(WALL.pose.quat.x))
TS_CSV_COLUMN(wall_qy, ts_csv_double(WALL.pose.quat.y))
TS_CSV_COLUMN(wall_qz, ts_csv_double(WALL.pose.quat.z))
TS_CSV_COLUMN(wall_present, ts_csv_int(WALL.present))

TS_CSV_COLUMN(contact_a, ts_csv_int(CONTACT.a))
TS_CSV_COLUMN(contact_b, ts_csv_int(CONTACT.b))
TS_CSV_COLUMN(contact_key, ts_csv_uint(CONTACT.key))
TS_CSV_COLUMN(contact_gap, ts_csv_float(CONTACT.gap))
TS_CSV_COLUMN(contact_nx, ts_csv_float(CONTACT.normal[0]))
TS_CSV_COLUMN(contact_ny, ts_csv_float(CONTACT.normal[1]))
TS_CSV_COLUMN(contact_nz, ts_csv_float(CONTACT.normal[2]))
TS_CSV_COLUMN(contact_x, ts_csv_double(CONTACT.point[0]))
TS_CSV_COLUMN(contact_y, ts_csv_double(CONTACT.point[1]))
TS_CSV_COLUMN(contact_z, ts_csv_double(CONTACT.point[2]))
TS_CSV_COLUMN(contact_fx, ts_csv_float(CONTACT.force[0]))
TS_CSV_COLUMN(contact_fy, ts_csv_float(CONTACT.force[1]))
TS_CSV_COLUMN(contact_fz, ts_csv_float(CONTACT.force[2]))

static const ts_csv_column frame_column[] = {TS_CSV_FRAME_COLUMNS, {"contacts", ts_csv_frame_contacts}, {NULL, NULL}};
static const ts_csv_column body_column[] = {TS_CSV_FRAME_COLUMNS,
                                            {"body", ts_csv_item_index},
                                            {"x_m", body_x},
                                            {"y_m", body_y},
                                            {"z_m", body_z},
                                            {"attitude_w", body_qw},
                                            {"attitude_x", body_qx},
                                            {"attitude_y", body_qy},
                                            {"attitude_z", body_qz},
                                            {"vx_m_per_s", body_vx},
                                            {"vy_m_per_s", body_vy},
                                            {"vz_m_per_s", body_vz},
                                            {"spin_x_rad_per_s", body_spin_x},
                                            {"spin_y_rad_per_s", body_spin_y},
                                            {"spin_z_rad_per_s", body_spin_z},
                                            {"present", body_present},
                                            {"shape", body_shape},
                                            {"shape_name", body_shape_name},
                                            {"material", body_material},
                                            {"material_name", body_material_name},
                                            {"scale", body_scale},
                                            {"radius_m", body_radius},
                                            {"mass_kg", body_mass},
                                            {"fixed", body_fixed},
                                            {NULL, NULL}};
static const ts_csv_column wall_column[] = {TS_CSV_FRAME_COLUMNS,
                                            {"wall", ts_csv_item_index},
                                            {"name", wall_name},
                                            {"source", wall_source},
                                            {"material", wall_material},
                                            {"x_m", wall_x},
                                            {"y_m", wall_y},
                                            {"z_m", wall_z},
                                            {"attitude_w", wall_qw},
                                            {"attitude_x", wall_qx},
                                            {"attitude_y", wall_qy},
                                            {"attitude_z", wall_qz},
                                            {"present", wall_present},
                                            {NULL, NULL}};
static const ts_csv_column contact_column[] = {TS_CSV_FRAME_COLUMNS,      {"contact", ts_csv_item_index},
                                               {"a", contact_a},          {"b", contact_b},
                                               {"key", contact_key},      {"gap_m", contact_gap},
                                               {"normal_x", contact_nx},  {"normal_y", contact_ny},
                                               {"normal_z", contact_nz},  {"x_m", contact_x},
                                               {"y_m", contact_y},        {"z_m", contact_z},
                                               {"force_x_N", contact_fx}, {"force_y_N", contact_fy},
                                               {"force_z_N", contact_fz}, {NULL, NULL}};

static size_t body_items(const ts_csv_row *r)
{
    return SPACE->body_count;
}
static size_t wall_items(const ts_csv_row *r)
{
    return SPACE->wall_count;
}

const ts_csv_quantity ts_csv_space_quantity[TS_CSV_SPACE_QUANTITIES] = {
    {"frames", frame_column, ts_csv_one, ts_csv_one},
    {"bodies", body_column, body_items, ts_csv_one},
    {"walls", wall_column, wall_items, ts_csv_one},
    {"contacts", contact_column, ts_csv_contacts, ts_csv_one},
};
