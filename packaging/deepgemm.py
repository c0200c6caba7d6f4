#!/usr/bin/env python3
"""Makes bundles of DeepGEMM's FP8 kernels with block scales on a Hopper GPU: what its own heuristic chooses for a
shape, and other kernels that the heuristic considers.

usage: deepgemm.py --sources FOLDER --work FOLDER --to FOLDER [--most N] [--jobs N] SHAPES.csv|MxNxK ...
       deepgemm.py --asked FOLDER --to FOLDER ...      (what an earlier run left in FOLDER/asked/MxNxK of --work)

--sources has checkouts DeepGEMM, cutlass and fmt, of the latter two include/ alone. Nothing of them is copied to --to
but cubins. DeepGEMM is built in --work with `setup.py build` (Python with torch, nvcc, g++; no network). For each shape
it is called once, and says on its output what it compiled, its tensor maps and its launch. TO/MxNxK is then a bundle:
one config for each kernel, DeepGEMM's own choice among them, at most --most (16 are what a final takes). A kernel of
the choice is the cubin that DeepGEMM made; another is compiled by its command line. The launch is written by the rules
below. They must give DeepGEMM's own launch for its own choice, or the shape is an error.

TO/deepgemm.csv names the kernels, and which is DeepGEMM's own choice. A line of SHAPES.csv begins m,n,k.
"""
import argparse
import concurrent.futures
import csv
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import time

ENTRY = "sm90_fp8_gemm_1d2d_impl"
# Template parameters of the kernel, in their order.
ARGUMENTS = ["majorScaleB", "m", "n", "k", "groups", "tileM", "tileN", "tileK", "swizzleA", "swizzleB", "swizzleD", "stages",
             "loadThreads", "mathThreads", "multicastCtas", "multicastA", "sms", "gemm", "typeD", "epilogue"]
BLOCK_K = 128
SHARED = 232448
MOST_STAGES = 16
LOAD_THREADS = 128

# Run in a process of its own for each shape, so that what it prints is that shape's. Scales lie as the kernel takes
# them: those of A along M with a pitch of a multiple of 4, those of B along K without gaps.
CALL = """
import sys, torch, deep_gemm
m, n, k = map(int, sys.argv[1:])
blocks = -(-k // 128)
a = torch.ones(m, k, device="cuda").to(torch.float8_e4m3fn)
b = torch.ones(n, k, device="cuda").to(torch.float8_e4m3fn)
scale_a = torch.ones(blocks, -(-m // 4) * 4, device="cuda").t()[:m]
scale_b = torch.ones(-(-n // 128), blocks, device="cuda")
d = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
deep_gemm.fp8_gemm_nt((a, scale_a), (b, scale_b), d)
torch.cuda.synchronize()
wrong = int((d.float() != torch.tensor(float(k)).to(torch.bfloat16).float().item()).sum())
print("computed %dx%dx%d of ones: %d elements wrong" % (m, n, k, wrong), flush=True)
sys.exit(1 if wrong else 0)
"""


def aligned(value, step):
    return -(-value // step) * step


class Wrong(Exception):
    pass


class Kernel:
    """A kernel for a shape, by its tile and cluster. Two CTAs along M share loads of B, two along N those of A."""

    def __init__(self, shape, tile_m, tile_n, cluster_m, cluster_n):
        self.m, self.n, self.k = shape
        self.tile_m, self.tile_n, self.cluster_m, self.cluster_n = tile_m, tile_n, cluster_m, cluster_n

    def name(self):
        return "m%dn%dc%dx%d" % (self.tile_m, self.tile_n, self.cluster_m, self.cluster_n)

    def ctas(self):
        return self.cluster_m * self.cluster_n

    def math_threads(self):
        return 128 if self.tile_m <= 64 else 256

    def swizzle_d(self):
        return next(width for width in (128, 64, 32) if 2 * self.tile_n % width == 0)

    def fixed_shared(self):
        """Bytes of the tile of D, of barriers, and of the scales of B of all K, of two blocks of N if a tile meets both."""
        blocks_n = 1 if BLOCK_K % self.tile_n == 0 else 2
        return aligned(2 * self.tile_m * self.tile_n, 1024) + 16 * MOST_STAGES + aligned(4 * self.blocks_k() * blocks_n, 8)

    def stage_shared(self):
        return (self.tile_m + self.tile_n) * BLOCK_K + aligned(4 * self.tile_m, 128)

    def stages(self):
        return min(MOST_STAGES, (SHARED - self.fixed_shared()) // self.stage_shared())

    def shared(self):
        return self.fixed_shared() + self.stages() * self.stage_shared()

    def blocks_k(self):
        return -(-self.k // BLOCK_K)

    def tiles(self):
        return -(-self.m // self.tile_m) * -(-self.n // self.tile_n)

    def arguments(self):
        return {"tileM": self.tile_m, "tileN": self.tile_n, "swizzleD": self.swizzle_d(), "stages": self.stages(),
                "mathThreads": self.math_threads(), "multicastCtas": self.ctas(), "multicastA": self.cluster_n - 1}

    def is_possible(self, sms):
        """What the kernel's assertions and DeepGEMM's list of candidates ask for."""
        step = self.tile_n - BLOCK_K
        whole = step <= 0 or (math.gcd(self.tile_n, BLOCK_K) == step and (self.tile_n % step == 0 or BLOCK_K % step == 0))
        least = 3 if self.tile_m * self.tile_n >= 128 * 192 else 4
        # Two CTAs that share loads take turns in a wave: DeepGEMM takes none where there is one wave.
        return whole and min(self.tile_m, self.tile_n) <= 128 and self.stages() >= least and (self.ctas() == 1 or self.tiles() > sms)

    def effort(self, sms):
        """Rank: waves times the cycles in which a tile's operands come from L2, or go through shared memory."""
        from_l2 = (self.tile_m / self.cluster_n + self.tile_n / self.cluster_m) / 46
        through = (self.tile_m + self.tile_n + max(64, self.tile_m) + self.tile_n) / 128
        return -(-self.tiles() // sms) * max(from_l2, through)


def considered(shape, sms):
    heights = [64, 128, 256] + [low for low in (16, 32) if shape[0] <= low]
    kernels = [Kernel(shape, tile_m, tile_n, *cluster)
               for tile_m in heights for tile_n in range(16, 193, 16) for cluster in ((1, 1), (2, 1), (1, 2))]
    return sorted((kernel for kernel in kernels if kernel.is_possible(sms)), key=lambda kernel: kernel.effort(sms))


def template_arguments(text):
    found = re.search(r"&\s*%s\s*<(.*?)>\s*\)" % ENTRY, text, re.S)
    values = [value.strip() for value in found.group(1).split(",")] if found else []
    if len(values) != len(ARGUMENTS):
        raise Wrong("this script knows %s with %d template arguments, got %d: %s" % (ENTRY, len(ARGUMENTS), len(values), values))
    return dict(zip(ARGUMENTS, values))


def spelled(name, value):
    return str(bool(value)).lower() if name == "multicastA" else str(value)


def with_arguments(text, changed):
    known = template_arguments(text)
    known.update({name: spelled(name, value) for name, value in changed.items()})
    named = re.compile(r"(&\s*%s\s*<).*?(>\s*\))" % ENTRY, re.S)
    return named.sub(lambda found: found.group(1) + ", ".join(known.values()) + found.group(2), text)


def entry(cubin):
    """The name of the one kernel in it, by the section with its code."""
    with open(cubin, "rb") as file:
        names = {name.decode() for name in re.findall(rb"\.text\.([A-Za-z0-9_$.]+)\0", file.read())}
    if len(names) != 1 or ENTRY not in next(iter(names)):
        raise Wrong("%s must have one kernel, %s, got %s" % (cubin, ENTRY, sorted(names)))
    return names.pop()


def mangled(values):
    """The template arguments from the tile on, as the name of a kernel has them."""
    return ("Lj{tileM}ELj{tileN}ELj128ELj128ELj128ELj{swizzleD}ELj{stages}ELj128ELj{mathThreads}ELj{multicastCtas}ELb{multicastA}E"
            .format(**values))


def said(log, pattern):
    return [tuple(map(int, found)) for found in re.findall(pattern, log)]


def own_choice(shape, arguments, log):
    """DeepGEMM's choice. All that it said of the launch must be what the rules here say."""
    ctas = int(arguments["multicastCtas"])
    on_a = arguments["multicastA"] == "true"
    kernel = Kernel(shape, int(arguments["tileM"]), int(arguments["tileN"]), 1 if on_a else ctas, ctas if on_a else 1)
    m, n, k = shape
    expected = dict(kernel.arguments(), n=n, k=k, groups=1, tileK=128, swizzleA=128, swizzleB=128, loadThreads=LOAD_THREADS,
                    gemm="GemmType::Normal", typeD="cutlass::bfloat16_t")
    for name, value in expected.items():
        if arguments[name] != spelled(name, value):
            raise Wrong("%s of the kernel is %s, and by the rules of this script %s" % (name, arguments[name], spelled(name, value)))
    sms = int(arguments["sms"])
    width = kernel.swizzle_d() // 2
    pitch = aligned(m, 4)
    maps = [(k, m, 128, kernel.tile_m, k, 128, 1), (k, n, 128, kernel.tile_n, k, 128, 1),
            (n, m, width, kernel.tile_m, n, kernel.swizzle_d(), 2), (pitch, kernel.blocks_k(), kernel.tile_m, 1, pitch, 0, 4)]
    launch = (sms, 1, LOAD_THREADS + kernel.math_threads(), kernel.shared(), kernel.ctas())
    seen = said(log, r"Making TMA desc: global memory: (\d+) (\d+), shared memory: (\d+) (\d+), outer stride: (\d+), swizzle: (\d+) "
                     r"\(base: 0\), elem size: (\d+)")
    if seen != maps:
        raise Wrong("DeepGEMM's tensor maps are %s, and by the rules of this script %s" % (seen, maps))
    seen = said(log, r"Launch kernel with \{(\d+), (\d+)\} x (\d+), shared memory: (\d+) bytes, cluster: (\d+)")
    if launch not in seen:
        raise Wrong("DeepGEMM's launches are %s, and by the rules of this script %s is one" % (seen, launch))
    return kernel, sms


YAML = """# DeepGEMM for {shape}, made by packaging/deepgemm.py. Its own choice is {own}.
name: deepgemm-{shape}
problem:
  a: e4m3
  b: e4m3
  d: bf16
  scales: {{a: {{rows: 1, k: 128, major: m, pitchMultiple: 4}}, b: {{rows: 128, k: 128, major: {major}, pitchMultiple: 1}}}}
  conditions: [m == {m}, n == {n}, k == {k}, batch == 1]
space:
  tileM: [{tiles_m}]
  tileN: [{tiles_n}]
  clusterM: [{clusters_m}]
  clusterN: [{clusters_n}]
let:
  ctas: clusterM * clusterN
  onA: clusterN - 1
  mathThreads: "tileM <= 64 ? 128 : 256"
  swizzleD: "tileN % 64 == 0 ? 128 : tileN % 32 == 0 ? 64 : 32"
  fixed: "roundup(2 * tileM * tileN, 1024) + {barriers} + roundup({scale_bytes} * (128 % tileN == 0 ? 1 : 2), 8)"
  stage: "(tileM + tileN) * 128 + roundup(4 * tileM, 128)"
  stages: "min({most_stages}, ({most_shared} - fixed) / stage)"
  kernel: tileM * 100000 + tileN * 100 + clusterM * 10 + clusterN
constraints:
  - {{id: compiled, that: "{compiled}", because: there is a cubin of it}}
  - {{id: sms, that: "sms == {sms} && tileM > 0", because: the kernel is compiled for so many}}
kernel: {{file: "m${{tileM}}n${{tileN}}c${{clusterM}}x${{clusterN}}.cubin", target: sm_90a}}
launch:
  entry: "{entry}"
  grid: {sms}
  block: "{load_threads} + mathThreads"
  cluster: ctas
  dynamicShared: fixed + stages * stage
  parameters:
    - pointer: SCALE_B
    - nullPointer
    - u32: m
    - u32: n
    - u32: k
    - tensorMap: {{buffer: A, box: [128, tileM], swizzle: 128, l2Promotion: 256}}
    - tensorMap: {{buffer: B, box: [128, tileN], swizzle: 128, l2Promotion: 256}}
    - tensorMap: {{buffer: D, box: [swizzleD / 2, tileM], swizzle: swizzleD, l2Promotion: 256}}
    - tensorMap: {{buffer: SCALE_A, dims: ["roundup(m, 4)", "ceildiv(k, 128)"], box: [tileM, 1], l2Promotion: 256}}
"""


def identity(kernel):
    return kernel.tile_m * 100000 + kernel.tile_n * 100 + kernel.cluster_m * 10 + kernel.cluster_n


def yaml(shape, own, kernels, major, sms, name):
    m, n, k = shape
    values = mangled(own.arguments())
    if name.count(values) != 1:
        raise Wrong("the kernel's name must have its template arguments, %s, once, got %s" % (values, name))
    holes = {key: "${%s}" % {"multicastCtas": "ctas", "multicastA": "onA"}.get(key, key) for key in own.arguments()}
    listed = lambda items: ", ".join(str(item) for item in sorted(set(items)))
    return YAML.format(
        shape="%dx%dx%d" % shape, own=own.name(), m=m, n=n, k=k, major=major, sms=sms, entry=name.replace(values, mangled(holes)),
        tiles_m=listed(kernel.tile_m for kernel in kernels), tiles_n=listed(kernel.tile_n for kernel in kernels),
        clusters_m=listed(kernel.cluster_m for kernel in kernels), clusters_n=listed(kernel.cluster_n for kernel in kernels),
        barriers=16 * MOST_STAGES, scale_bytes=4 * own.blocks_k(),
        most_stages=MOST_STAGES, most_shared=SHARED, load_threads=LOAD_THREADS,
        compiled=" || ".join("kernel == %d" % identity(kernel) for kernel in kernels))


def ran(command, folder, log, **more):
    with open(log, "w") as output:
        ended = subprocess.run(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, **more)
    if ended.returncode != 0:
        with open(log) as output:
            raise Wrong("%s\nended with %d:\n%s" % (" ".join(command), ended.returncode, output.read()[-3000:]))


def built(sources, work):
    """The folder with the package, built in a copy of the sources once."""
    tree = os.path.join(work, "DeepGEMM")
    if not os.path.exists(tree):
        shutil.copytree(os.path.join(sources, "DeepGEMM"), tree)
    for other in ("cutlass", "fmt"):
        place = os.path.join(tree, "third-party", other)
        if not os.path.exists(os.path.join(place, "include")):
            if not os.path.isdir(os.path.join(sources, other, "include")):
                raise Wrong("%s must have include/, got none" % os.path.join(sources, other))
            if os.path.isdir(place):
                os.rmdir(place)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.symlink(os.path.abspath(os.path.join(sources, other)), place)
    made = os.path.join(tree, "build", "lib*", "deep_gemm")
    if not glob.glob(os.path.join(made, "_C*.so")):
        begun = time.monotonic()
        ran([sys.executable, "setup.py", "build"], tree, os.path.join(work, "build.log"))
        print("built DeepGEMM in %.0f s" % (time.monotonic() - begun), flush=True)
    return os.path.dirname(glob.glob(made)[0])


def asked(library, work, shape):
    """Calls DeepGEMM for a shape; leaves its kernel, cubin and output in a folder."""
    name = "%dx%dx%d" % shape
    folder = os.path.join(work, "asked", name)
    log = os.path.join(folder, "log")
    if os.path.exists(os.path.join(folder, "kernel.cubin")):
        return
    os.makedirs(folder, exist_ok=True)
    cache = os.path.join(work, "cache", name)
    shutil.rmtree(cache, ignore_errors=True)
    preload = subprocess.check_output(["g++", "-print-file-name=libstdc++.so.6"], text=True).strip()
    environment = dict(os.environ, PYTHONPATH=library, LD_PRELOAD=preload, DG_JIT_CACHE_DIR=os.path.abspath(cache), DG_JIT_DEBUG="1",
                       DG_PRINT_CONFIGS="1", DG_JIT_USE_NVRTC="0")
    ran([sys.executable, "-c", CALL] + [str(extent) for extent in shape], folder, log, env=environment)
    kernels = glob.glob(os.path.join(cache, "cache", "kernel.sm90_fp8_gemm_1d2d.*"))
    if len(kernels) != 1:
        raise Wrong("one kernel must be compiled for %s, got %s" % (name, kernels))
    for file in ("kernel.cu", "kernel.cubin"):
        shutil.copy(os.path.join(kernels[0], file), os.path.join(folder, file))


def read(folder, name):
    with open(os.path.join(folder, name)) as file:
        return file.read()


def compile_flags(log):
    found = re.search(r"Running NVCC command: (?:cd \S+ && )?(\S+) \S*kernel\.cu -cubin -o \S+ ([^\n]*)", log)
    if not found:
        raise Wrong("DeepGEMM must print the command line of nvcc, and printed none")
    return [found.group(1)] + [flag for flag in found.group(2).split() if "--verbose" not in flag]


def compiled(kernel, text, flags, folder):
    """The cubin of another kernel, compiled as DeepGEMM compiles its choice."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, kernel.name())
    if not os.path.exists(path + ".cubin"):
        with open(path + ".cu", "w") as file:
            file.write(with_arguments(text, kernel.arguments()))
        ran(flags[:1] + [path + ".cu", "-cubin", "-o", path + ".new"] + flags[1:], folder, path + ".log")
        os.rename(path + ".new", path + ".cubin")
    return path + ".cubin"


def scale_major(arguments):
    majors = {"cute::UMMA::Major::K": "k", "cute::UMMA::Major::MN": "n"}
    given = arguments["majorScaleB"]
    if given not in majors:
        raise Wrong("majorScaleB must be one of %s, got %s" % (", ".join(majors), given))
    return majors[given]


def bundled(shape, source, to, most, pool):
    """Writes the bundle of a shape; a row for each kernel."""
    name = "%dx%dx%d" % shape
    folder = os.path.join(to, name)
    text, log = read(source, "kernel.cu"), read(source, "log")
    arguments = template_arguments(text)
    own, sms = own_choice(shape, arguments, log)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(os.path.join(source, "kernel.cubin"), os.path.join(folder, own.name() + ".cubin"))
    others = [kernel for kernel in considered(shape, sms) if kernel.name() != own.name()][: most - 1]
    flags = compile_flags(log)
    begun = {kernel: pool.submit(compiled, kernel, text, flags, os.path.join(source, "others")) for kernel in others}
    kernels = [own]
    for kernel, made in begun.items():
        try:
            shutil.copy(made.result(), os.path.join(folder, kernel.name() + ".cubin"))
            kernels.append(kernel)
        except Wrong as refused:
            print("%s %s does not compile: %s" % (name, kernel.name(), refused), flush=True)
    major = scale_major(arguments)
    own_entry = entry(os.path.join(folder, own.name() + ".cubin"))
    before = mangled(own.arguments())
    for kernel in kernels:
        wanted = own_entry.replace(before, mangled(kernel.arguments()))
        found = entry(os.path.join(folder, kernel.name() + ".cubin"))
        if found != wanted:
            raise Wrong("the kernel %s must be called %s, got %s" % (kernel.name(), wanted, found))
    with open(os.path.join(folder, "kernel.yaml"), "w") as file:
        file.write(yaml(shape, own, kernels, major, sms, own_entry))
    return [[name, kernel.tile_m, kernel.tile_n, kernel.cluster_m, kernel.cluster_n, kernel.stages(), kernel.shared(),
             "own" if kernel is own else "considered"] for kernel in kernels]


def shapes(given):
    for item in given:
        if re.fullmatch(r"\d+x\d+x\d+", item):
            yield tuple(map(int, item.split("x")))
        else:
            with open(item, newline="") as file:
                yield from (tuple(map(int, row[:3])) for row in csv.reader(file) if row and row[0].strip().isdigit())


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for folder in ("--sources", "--work", "--asked", "--to"):
        options.add_argument(folder, required=folder == "--to")
    options.add_argument("--most", type=int, default=16)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("shapes", nargs="+")
    given = options.parse_args()
    if not given.asked and not (given.sources and given.work):
        sys.exit("give --sources and --work, or --asked")
    if not 1 <= given.most <= 16:
        sys.exit("--most: a final takes 1 to 16 configs of a bundle, got %d" % given.most)
    wanted = list(dict.fromkeys(shapes(given.shapes)))
    os.makedirs(given.to, exist_ok=True)
    wrong = 0
    rows = []
    source = given.asked or os.path.join(os.path.abspath(given.work), "asked")
    library = None
    if not given.asked:
        work = os.path.abspath(given.work)
        os.makedirs(work, exist_ok=True)
        library = built(given.sources, work)

    def made(shape):
        if library:
            asked(library, work, shape)
        return bundled(shape, os.path.join(os.path.abspath(source), "%dx%dx%d" % shape), given.to, given.most, pool)

    begun = time.monotonic()
    # A process of DeepGEMM holds a context of the GPU: few of them at a time.
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool, concurrent.futures.ThreadPoolExecutor(4) as makers:
        for shape, making in [(shape, makers.submit(made, shape)) for shape in wanted]:
            name = "%dx%dx%d" % shape
            try:
                rows += making.result()
                print("%s: %d kernels, %.0f s" % (name, sum(row[0] == name for row in rows), time.monotonic() - begun), flush=True)
            except (Wrong, OSError) as refused:
                wrong += 1
                print("%s: %s" % (name, refused), file=sys.stderr, flush=True)
    with open(os.path.join(given.to, "deepgemm.csv"), "w", newline="") as file:
        csv.writer(file).writerows([["shape", "tileM", "tileN", "clusterM", "clusterN", "stages", "shared", "choice"]] + rows)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
