# SPDX-License-Identifier: MIT
"""Reads a LAMMPS dump and compares it with the CSV of the same run, bit by bit; then lets LAMMPS read its last frame
(read_dump) and compares what LAMMPS then writes. Also the meshes: the grain of radius 1 that they stand for."""
import math
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from export_check import arguments, frames_of, near


def blocks_of(path):
    lines = open(path).read().split("\n")
    at = 0
    while lines[at]:
        assert lines[at] == "ITEM: TIMESTEP" and lines[at + 2] == "ITEM: NUMBER OF ATOMS"
        assert lines[at + 4].startswith("ITEM: BOX BOUNDS ")
        step, count = int(lines[at + 1]), int(lines[at + 3])
        box = [[float(v) for v in lines[at + 5 + k].split()] for k in range(3)]
        names = lines[at + 8].split()
        assert names[:2] == ["ITEM:", "ATOMS"]
        yield step, box, [dict(zip(names[2:], map(float, lines[at + 9 + k].split()))) for k in range(count)]
        at += 9 + count


def read_by_lammps(path, step, box, atoms):
    lmp = shutil.which("lmp")
    if not lmp:
        print("not read by LAMMPS: lmp was not found (Debian: lammps)")
        return
    # LAMMPS reads no radii from a dump; the z velocity carries them for us. It needs three dimensions then.
    types = int(max(a["type"] for a in atoms))
    script = f"""
units si
boundary f f p
atom_style sphere
region box block {box[0][0]} {box[0][1]} {box[1][0]} {box[1][1]} {box[2][0]} {box[2][1]}
create_box {types} box
pair_style none
read_dump {path} {step} x y z vx vy vz box yes replace no purge no trim no add keep label vz radius
write_dump all custom lammps.out id type x y vx vy vz modify sort id format float %.17g
"""
    open("lammps.in", "w").write(script)
    done = subprocess.run([lmp, "-in", "lammps.in", "-log", "none"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    (_, _, read), = list(blocks_of("lammps.out"))
    atoms = sorted(atoms, key=lambda a: a["id"])
    assert len(read) == len(atoms), (len(read), len(atoms))
    for a, b in zip(atoms, read):
        assert (a["id"], a["type"]) == (b["id"], b["type"])
        for name, other in (("x", "x"), ("y", "y"), ("vx", "vx"), ("vy", "vy"), ("radius", "vz")):
            assert near(a[name], b[other], 1e-3, 1e-12), (name, a, b)
    print(f"LAMMPS read {len(read)} particles")


def check_mesh(path, area, radius):
    p, t = [], []
    for line in open(path):
        word = line.split()
        if word[0] == "v":
            p.append([float(v) for v in word[1:]])
        if word[0] == "f":
            t.append([int(v.split("/")[0]) - 1 for v in word[1:]])
    assert max(math.hypot(x, y) for x, y, z in p) <= 1 + 1e-6
    front = sum(max(0, (p[b][0] - p[a][0]) * (p[c][1] - p[a][1]) - (p[b][1] - p[a][1]) * (p[c][0] - p[a][0])) / 2
                for a, b, c in t if p[a][2] > 0 and p[b][2] > 0 and p[c][2] > 0)
    assert near(front * radius * radius, area, 0, 0.01), (path, front * radius * radius, area)


def main():
    table, path, area = arguments()
    frames, blocks = frames_of(table), list(blocks_of(path))
    assert len(frames) == len(blocks)
    for frame, (step, box, atoms) in zip(frames, blocks):
        rows = [r for r in frame if r["present"]]
        assert step == frame[0]["step"] and len(rows) == len(atoms)
        for r, a in zip(rows, atoms):
            expected = dict(id=r["body"] + 1, type=r["shape"] + 1, x=r["x_m"], y=r["y_m"], z=0, radius=r["radius_m"],
                            mass=r["mass_kg"], angle=r["angle_rad"], vz=0, quati=0, quatj=0)
            assert all(a[name] == value for name, value in expected.items()), (a, r)
            for name, column in (("vx", "vx_m_per_s"), ("vy", "vy_m_per_s"), ("omegaz", "spin_rad_per_s")):
                assert near(a[name], r[column], 0, 1e-7), (name, a, r)
            assert near(a["quatw"], math.cos(r["angle_rad"] / 2), 1, 1e-8)
            assert near(a["quatk"], math.sin(r["angle_rad"] / 2), 1, 1e-8)
            assert box[0][0] <= a["x"] - a["radius"] and a["y"] + a["radius"] <= box[1][1]
    for shape, mesh in enumerate(area):
        of = [r for r in frames[0] if r["shape"] == shape]
        if of:
            check_mesh(f"{os.path.splitext(path)[0]}_type{shape + 1}.obj", mesh, of[0]["radius_m"] / of[0]["scale"])
    print(f"{len(frames)} frames agree")
    read_by_lammps(path, *blocks[-1])


main()
