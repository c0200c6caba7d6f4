package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.TinyKernel.Context;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders between threads of a warp, a CTA and a cluster through shared memory, each with its racy twins. */
class SharedOrderTest {
    private static final Consumer<CodeBuilder> NOTHING = b -> {};
    private static final int EACH = 4;

    private static SharedAddress own(Context p) {
        return new SharedAddress(p.b().mad(p.thread(), EACH, p.base()), p.data().offset());
    }

    /** The word of the thread so many lanes or warps on, around the CTA. */
    private static SharedAddress others(Context p, int threads, int distance) {
        Reg<B32> other = p.b().rem(p.b().add(p.thread(), distance), threads);
        return new SharedAddress(p.b().mad(other, EACH, p.base()), p.data().offset());
    }

    private static TinyKernel exchange(int threads, int distance, Consumer<CodeBuilder> between) {
        return new TinyKernel(threads, 1, p -> {
            p.b().st32(own(p), p.thread());
            between.accept(p.b());
            p.b().ld32(others(p, threads, distance));
        });
    }

    @Test
    void lanesOfAWarp() {
        exchange(32, 1, CodeBuilder::syncWarp).requireClean(1);
        Finding finding = exchange(32, 1, NOTHING).finding();
        assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.UninitialisedRead.class);
        // A shuffle brings lanes together; it does not order memory.
        Finding shuffled = exchange(32, 1, b -> b.shflIdx(Immediate.b32(1), 0)).finding();
        assertThat(shuffled.message()).contains("race on data+", "lanes of one warp, without a bar.warp.sync");
    }

    @Test
    void warpsOfACta() {
        exchange(64, 32, CodeBuilder::syncThreads).requireClean(1);
        exchange(96, 40, b -> b.barrierSync(3, 96)).requireClean(1);
        Finding finding = exchange(64, 32, CodeBuilder::syncWarp).finding();
        assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.UninitialisedRead.class);
    }

    /** Written, read by others, written again: the second write needs a barrier behind the reads. */
    @Test
    void writeAfterRead() {
        for (boolean second : new boolean[] {true, false}) {
            TinyKernel kernel = new TinyKernel(64, 1, p -> {
                p.b().st32(own(p), p.thread());
                p.b().syncThreads();
                p.b().ld32(others(p, 64, 32));
                if (second) {
                    p.b().syncThreads();
                }
                p.b().st32(own(p), p.b().add(p.thread(), 7));
            });
            if (second) {
                kernel.requireClean(1);
            } else {
                Finding finding = kernel.finding();
                assertThat(finding.message())
                        .contains("race on data+", "the load of tiny line", "the store of tiny line")
                        .contains("no barrier, and no release that an acquire saw");
            }
        }
    }

    /** One warp arrives, another waits: what the first wrote is seen; not what the waiting one wrote. */
    @Test
    void arriveAtANamedBarrier() {
        for (boolean backwards : new boolean[] {false, true}) {
            TinyKernel kernel = new TinyKernel(64, 1, p -> {
                Reg<Pred> writer = backwards ? p.b().ge(p.thread(), 32) : p.b().lt(p.thread(), 32);
                p.b().ifThen(writer, b -> b.st32(own(inside(p, b)), p.thread()));
                p.b().ifThenElse(
                                p.b().lt(p.thread(), 32),
                                first -> first.barrierArrive(2, 64),
                                second -> second.barrierSync(2, 64));
                p.b().ifNot(writer, b -> b.ld32(others(inside(p, b), 64, 32)));
            });
            if (backwards) {
                Finding finding = kernel.finding();
                assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.UninitialisedRead.class);
            } else {
                kernel.requireClean(1);
            }
        }
    }

    private static Context inside(Context p, CodeBuilder b) {
        return new Context(b, p.base(), p.thread(), p.data(), p.barriers(), p.buffer(), p.map());
    }

    private static Ordering ordering(String text) {
        return switch (text) {
            case "default" -> Ordering.DEFAULT;
            case "relaxed.cta" -> Ordering.relaxed(Scope.CTA);
            case "relaxed.cluster" -> Ordering.relaxed(Scope.CLUSTER);
            case "release.cta" -> Ordering.release(Scope.CTA);
            case "release.cluster" -> Ordering.release(Scope.CLUSTER);
            case "acquire.cta" -> Ordering.acquire(Scope.CTA);
            case "acquire.cluster" -> Ordering.acquire(Scope.CLUSTER);
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static void fence(CodeBuilder b, String scope) {
        if (!scope.equals("-")) {
            b.with(new Barrier.ThreadFence(Sem.ACQ_REL, Scope.valueOf(scope)));
        }
    }

    /** A barrier for one arrival, made and published. */
    private static void barrier(Context p, boolean cluster) {
        p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
            b.mbarrierInit(p.barriers().barrier(p.base(), 0), 1);
            b.fenceBarrierInit();
        });
        if (cluster) {
            p.b().clusterArrive(Sem.RELAXED);
            p.b().clusterWait();
        } else {
            p.b().syncThreads();
        }
    }

    /** A warp writes, meets, and one lane arrives at the barrier; another warp waits and reads. */
    private static TinyKernel handOver(String arrival, String before, boolean meet, String wait, String behind) {
        return new TinyKernel(64, 1, p -> {
            barrier(p, false);
            p.b().ifThen(p.b().lt(p.thread(), 32), b -> {
                b.st32(own(inside(p, b)), p.thread());
                if (meet) {
                    b.syncWarp();
                }
                b.ifThen(b.eq(p.thread(), 0), one -> {
                    fence(one, before);
                    one.with(new Mbarrier.Arrive(
                            ordering(arrival), p.barriers().barrier(p.base(), 0), Optional.empty()));
                });
            });
            p.b().ifThen(p.b().ge(p.thread(), 32), b -> {
                b.waitParity(ordering(wait), p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                fence(b, behind);
                b.ld32(others(inside(p, b), 64, 32));
            });
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        default     | -   | true  | default     | -   |
        release.cta | -   | true  | acquire.cta | -   |
        relaxed.cta | CTA | true  | default     | -   |
        default     | -   | true  | relaxed.cta | CTA |
        relaxed.cta | CTA | true  | relaxed.cta | CTA |
        relaxed.cta | -   | true  | default     | -   | the arrival at tiny line
        default     | -   | true  | relaxed.cta | -   | the wait at tiny line
        default     | -   | false | default     | -   | no barrier, and no release that an acquire saw
        """)
    void throughAnMbarrier(String arrival, String before, boolean meet, String wait, String behind, String wrong) {
        TinyKernel kernel = handOver(arrival, before, meet, wait, behind);
        if (wrong == null) {
            kernel.requireClean(1);
        } else {
            Finding finding = kernel.finding();
            assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
            assertThat(finding.message()).contains(wrong, "race on data+");
        }
    }

    @Test
    void oneLaneWaitsForAll() {
        for (boolean meet : new boolean[] {true, false}) {
            TinyKernel kernel = new TinyKernel(64, 1, p -> {
                barrier(p, false);
                p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                    b.st32(new SharedAddress(p.base(), p.data().offset()), p.thread());
                    b.mbarrierArrive(p.barriers().barrier(p.base(), 0));
                });
                p.b().ifThen(p.b().ge(p.thread(), 32), b -> {
                    b.ifThen(
                            b.eq(p.thread(), 32),
                            one -> one.waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0)));
                    if (meet) {
                        b.syncWarp();
                    }
                    b.ld32(new SharedAddress(p.base(), p.data().offset()));
                });
            });
            if (meet) {
                kernel.requireClean(1);
            } else {
                Finding finding = kernel.finding();
                assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.UninitialisedRead.class);
            }
        }
    }

    @Test
    void barrierUsedWithoutOrderBehindItsInit() {
        Finding finding = new TinyKernel(64, 1, p -> {
                    p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                        b.mbarrierInit(p.barriers().barrier(p.base(), 0), 1);
                        b.fenceBarrierInit();
                    });
                    p.b().ifThen(
                                    p.b().eq(p.thread(), 32),
                                    b -> b.mbarrierArrive(p.barriers().barrier(p.base(), 0)));
                })
                .finding();
        assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.NoBarrier.class);
    }

    // ---- clusters -----------------------------------------------------------------------------------------------

    private static ClusterAddress remote(Context p, int offset) {
        return ClusterAddress.of(
                p.b().mapToRank(p.b().add(p.base(), offset), Immediate.b32(1)).base());
    }

    /** Rank 0 writes into rank 1's memory and tells it through a barrier there. */
    private static TinyKernel remoteHandOver(String arrival, String wait) {
        return new TinyKernel(32, 2, p -> {
            barrier(p, true);
            Reg<B32> rank = p.b().special(SpecialRegister.CLUSTER_CTARANK);
            Reg<Pred> first = p.b().eq(p.thread(), 0);
            p.b().ifThen(p.b().andPred(first, p.b().eq(rank, 0)), b -> {
                Context q = inside(p, b);
                b.st32(remote(q, p.data().offset()), p.thread());
                b.with(new Mbarrier.Arrive(
                        ordering(arrival), remote(q, p.barriers().offset()), Optional.empty()));
            });
            p.b().ifThen(p.b().andPred(first, p.b().eq(rank, 1)), b -> {
                b.waitParity(ordering(wait), p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                b.ld32(new SharedAddress(p.base(), p.data().offset()));
            });
            p.b().clusterSync();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        release.cluster | acquire.cluster |
        default         | acquire.cluster | the arrival at tiny line .* has scope .cta, which does not reach CTA 1
        release.cluster | default         | the wait at tiny line .* has scope .cta
        relaxed.cluster | acquire.cluster | the arrival at tiny line .* is relaxed
        release.cluster | relaxed.cluster | the wait at tiny line .* is relaxed
        """)
    void throughAnMbarrierOfAnotherCta(String arrival, String wait, String wrong) {
        TinyKernel kernel = remoteHandOver(arrival, wait);
        if (wrong == null) {
            kernel.requireClean(1);
        } else {
            Finding finding = kernel.finding();
            assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
            assertThat(finding.message()).containsPattern(wrong);
        }
    }

    /** Rank 0 writes into rank 1's memory, then both meet. */
    private static TinyKernel clusterMeeting(Sem arrival, String before) {
        return new TinyKernel(32, 2, p -> {
            Reg<B32> rank = p.b().special(SpecialRegister.CLUSTER_CTARANK);
            p.b().ifThen(
                            p.b().andPred(p.b().eq(p.thread(), 0), p.b().eq(rank, 0)),
                            b -> b.st32(remote(inside(p, b), p.data().offset()), p.thread()));
            fence(p.b(), before);
            p.b().clusterArrive(arrival);
            p.b().clusterWait();
            p.b().ifThen(
                            p.b().andPred(p.b().eq(p.thread(), 0), p.b().eq(rank, 1)),
                            b -> b.ld32(new SharedAddress(p.base(), p.data().offset())));
        });
    }

    @Test
    void throughTheClusterBarrier() {
        clusterMeeting(Sem.RELEASE, "-").requireClean(1);
        clusterMeeting(Sem.RELAXED, "CLUSTER").requireClean(1);
        for (String before : List.of("-", "CTA")) {
            Finding finding = clusterMeeting(Sem.RELAXED, before).finding();
            assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
            assertThat(finding.message()).contains("the arrival at the cluster barrier at tiny line", "is relaxed");
        }
    }

    /** st.async counts on the barrier; the wait must have cluster scope. */
    @Test
    void asynchronousStoreToAnotherCta() {
        for (String wait : List.of("acquire.cluster", "default")) {
            TinyKernel kernel = new TinyKernel(32, 2, p -> {
                barrier(p, true);
                Reg<B32> rank = p.b().special(SpecialRegister.CLUSTER_CTARANK);
                Reg<Pred> first = p.b().eq(p.thread(), 0);
                p.b().ifThen(p.b().andPred(first, p.b().eq(rank, 1)), b -> {
                    b.mbarrierArriveExpectTx(p.barriers().barrier(p.base(), 0), 8);
                    b.waitParity(ordering(wait), p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                    b.ld32(new SharedAddress(p.base(), p.data().offset()));
                });
                p.b().ifThen(p.b().andPred(first, p.b().eq(rank, 0)), b -> {
                    Context q = inside(p, b);
                    b.with(new Memory.StoreAsync(
                            ScalarType.B32,
                            remote(q, p.data().offset()),
                            List.of(p.thread(), p.thread()),
                            remote(q, p.barriers().offset())));
                });
                p.b().clusterSync();
            });
            if (wait.equals("acquire.cluster")) {
                kernel.requireClean(1);
            } else {
                Finding finding = kernel.finding();
                assertThat(finding.message()).contains("the asynchronous store of", "has scope .cta");
            }
        }
    }
}
