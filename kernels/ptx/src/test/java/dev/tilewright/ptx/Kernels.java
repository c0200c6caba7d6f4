package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.Optional;

/** Small kernels that the tests share. */
final class Kernels {
    private Kernels() {}

    /** {@code c[i] = a[i] + b[i]}, grid stride. */
    static PtxModule vectorAdd() {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("vector_add", e -> {
                    Param a = e.pointer("a");
                    Param b = e.pointer("b");
                    Param c = e.pointer("c");
                    Param n = e.u32("n");
                    e.launchBounds(256, 0);
                    e.code(k -> {
                        Reg<B64> pa = k.globalPointer(a);
                        Reg<B64> pb = k.globalPointer(b);
                        Reg<B64> pc = k.globalPointer(c);
                        Reg<B32> count = k.param32(n);
                        Reg<B32> width = k.special(SpecialRegister.NTID_X);
                        Reg<B32> i = k.b32("i");
                        k.mad(i, k.special(SpecialRegister.CTAID_X), width, k.special(SpecialRegister.TID_X));
                        Reg<B32> step = k.mulLo(width, k.special(SpecialRegister.NCTAID_X));
                        k.whileLoop("elements", l -> l.lt(i, count), (l, loop) -> {
                            Reg<F32> sum = l.fadd(
                                    l.ldF32(GlobalAddress.of(l.madWide(i, 4, pa))),
                                    l.ldF32(GlobalAddress.of(l.madWide(i, 4, pb))));
                            l.stF32(GlobalAddress.of(l.madWide(i, 4, pc)), sum);
                            l.add(i, i, step);
                        });
                        k.ret();
                    });
                }));
    }

    /** A TMA and wgmma pipeline of {@code stages} slots between one producer thread and one warpgroup. */
    static PtxModule pipeline(int stages, int stageBytes) {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("pipeline", e -> {
                    Param mapA = e.tensorMap("tA");
                    Param kTiles = e.u32("kTiles");
                    e.launchBounds(256, 1);
                    SharedRegion tile = e.shared("a", stages * stageBytes, 1024);
                    SharedRegion full = e.barriers("full", stages);
                    SharedRegion empty = e.barriers("empty", stages);
                    e.code(b -> {
                        Reg<B32> base = b.sharedBase();
                        GenericAddress map = b.tensorMap(mapA);
                        Reg<B32> n = b.param32(kTiles);
                        b.ifThen(b.eq(b.special(SpecialRegister.TID_X), 0), t -> {
                            for (int s = 0; s < stages; s++) {
                                t.mbarrierInit(full.barrier(base, s), 1);
                                t.mbarrierInit(empty.barrier(base, s), 128);
                            }
                            t.fenceBarrierInit();
                        });
                        b.syncThreads();
                        b.role("load", 0, 4, r -> {
                            r.setMaxRegistersDecrease(40);
                            Reg<B32> stage = r.b32("stage", 0);
                            Reg<B32> phase = r.b32("phase", 1);
                            r.ifThen(
                                    r.eq(r.warpIndex(), 0),
                                    w -> w.ifThen(
                                            w.elect(),
                                            o -> o.forRange("k", 0, n, (k, kt) -> {
                                                Reg<B32> slot = k.mad(stage, SharedRegion.BARRIER_BYTES, base);
                                                SharedAddress bar = new SharedAddress(slot, full.offset());
                                                k.waitParity(new SharedAddress(slot, empty.offset()), phase);
                                                k.mbarrierArriveExpectTx(bar, stageBytes);
                                                SharedAddress to = new SharedAddress(
                                                        k.mad(stage, stageBytes, base), tile.offset());
                                                k.tmaLoad(to, map, List.of(k.shl(kt, 6), Immediate.b32(0)), bar);
                                                advance(k, stage, phase, stages);
                                            })));
                        });
                        b.role("math", 4, 4, r -> {
                            r.setMaxRegistersIncrease(232);
                            List<Reg<F32>> acc = r.f32Array("acc", 88);
                            Reg<B32> stage = r.b32("stage", 0);
                            Reg<B32> phase = r.b32("phase", 0);
                            r.forRange("k", 0, n, (k, kt) -> {
                                Reg<B32> slot = k.mad(stage, SharedRegion.BARRIER_BYTES, base);
                                k.waitParity(new SharedAddress(slot, full.offset()), phase);
                                Reg<B32> start = k.shr(k.and(k.mad(stage, stageBytes, base), 0x3FFFF), 4);
                                Reg<B64> descriptor = k.pack(k.or(start, 0x10000), Immediate.b32(0x40000040));
                                k.wgmmaFence();
                                k.wgmma(ScalarType.BF16, acc, descriptor, descriptor, k.ne(kt, 0));
                                k.wgmmaCommitGroup();
                                k.wgmmaWaitGroup(0);
                                k.mbarrierArrive(new SharedAddress(slot, empty.offset()));
                                advance(k, stage, phase, stages);
                            });
                        });
                        b.ret();
                    });
                }));
    }

    private static void advance(CodeBuilder k, Reg<B32> stage, Reg<B32> phase, int stages) {
        k.add(stage, stage, 1);
        Reg<Pred> wrap = k.eq(stage, stages);
        k.select(stage, wrap, 0, stage);
        k.guarded(wrap, g -> g.xor(phase, phase, 1));
    }

    /** One multicast load per CTA of a pair, a remote arrive, a store by TMA. */
    static PtxModule cluster() {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("pair", e -> {
                    Param map = e.tensorMap("map");
                    e.launchBounds(128, 1);
                    e.cluster(2, 1, 1);
                    SharedRegion data = e.shared("data", 8192, 1024);
                    SharedRegion full = e.barriers("full", 1);
                    SharedRegion done = e.barriers("done", 1);
                    e.code(b -> {
                        Reg<B32> base = b.sharedBase();
                        GenericAddress tensor = b.tensorMap(map);
                        Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
                        Reg<Pred> first = b.eq(b.special(SpecialRegister.TID_X), 0);
                        b.ifThen(first, t -> {
                            t.prefetchTensorMap(tensor);
                            t.mbarrierInit(full.barrier(base, 0), 1);
                            t.mbarrierInit(done.barrier(base, 0), 2);
                            t.fenceBarrierInit();
                        });
                        b.clusterArrive(Sem.RELAXED);
                        b.clusterWait();
                        b.ifThen(first, t -> {
                            t.mbarrierArriveExpectTx(full.barrier(base, 0), 8192);
                            t.tmaLoad(
                                    new SharedAddress(t.mad(rank, 4096, base), data.offset()),
                                    tensor,
                                    List.of(Immediate.b32(0), t.shl(rank, 5)),
                                    full.barrier(base, 0),
                                    Optional.of(Immediate.b16(3)),
                                    Optional.of(t.createPolicy(EvictionPriority.EVICT_LAST)));
                        });
                        b.waitParity(full.barrier(base, 0), Immediate.b32(0));
                        b.ifThen(first, t -> {
                            for (int cta = 0; cta < 2; cta++) {
                                t.mbarrierArrive(t.mapToRank(t.add(base, done.offset()), Immediate.b32(cta)));
                            }
                        });
                        b.waitParity(done.barrier(base, 0), Immediate.b32(0));
                        b.fenceProxyAsyncShared();
                        b.syncThreads();
                        b.guarded(first, t -> {
                            t.tmaStore(tensor, List.of(Immediate.b32(0), Immediate.b32(0)), data.at(base, 0));
                            t.bulkCommitGroup();
                            t.with(new BulkCopy.WaitGroup(0, false));
                        });
                        b.clusterSync();
                        b.ret();
                    });
                }));
    }
}
