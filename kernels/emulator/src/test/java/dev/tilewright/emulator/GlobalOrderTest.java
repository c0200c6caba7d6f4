package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.TinyKernel.Context;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders through words of global memory: litmus tests, each with its racy twins. */
class GlobalOrderTest {
    private static final int POLLS = 60;
    private static final Immediate<B32> ONE = Immediate.b32(1);

    /** Where the two threads of a litmus test are. */
    private enum Between {
        WARPS(64, 1, 1),
        CTAS(32, 2, 2),
        CLUSTERS(32, 1, 2);

        private final int threads;
        private final int cluster;
        private final int ctas;

        Between(int threads, int cluster, int ctas) {
            this.threads = threads;
            this.cluster = cluster;
            this.ctas = ctas;
        }

        TinyKernel kernel(Consumer<Context> first, Consumer<Context> second) {
            return new TinyKernel(threads, cluster, p -> {
                Reg<B32> who = this == WARPS ? p.thread() : p.b().special(SpecialRegister.CTAID_X);
                Reg<Pred> lane = p.b().eq(p.b().and(p.thread(), 31), 0);
                p.b().ifThen(p.b().andPred(lane, p.b().eq(who, 0)), b -> first.accept(inside(p, b)));
                p.b().ifThen(p.b().andPred(lane, p.b().ne(who, 0)), b -> second.accept(inside(p, b)));
            });
        }

        Finding finding(Consumer<Context> first, Consumer<Context> second) {
            return kernel(first, second).finding(ctas);
        }

        void requireClean(Consumer<Context> first, Consumer<Context> second) {
            kernel(first, second).requireClean(ctas);
        }
    }

    private static Context inside(Context p, CodeBuilder b) {
        return new Context(b, p.base(), p.thread(), p.data(), p.barriers(), p.buffer(), p.map());
    }

    private static GlobalAddress data(Context p) {
        return p.buffer();
    }

    /** A word that is 0 before the launch. */
    private static GlobalAddress flag(Context p) {
        return p.buffer().plus(TinyKernel.ZEROS);
    }

    private static Ordering ordering(String text) {
        String[] parts = text.split("\\.");
        return switch (parts[0]) {
            case "weak" -> Ordering.DEFAULT;
            case "volatile" -> Ordering.VOLATILE;
            default ->
                new Ordering(
                        Sem.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                        Scope.valueOf(parts[1].toUpperCase(Locale.ROOT)));
        };
    }

    private static void fence(CodeBuilder b, String text) {
        String[] parts = text.split("\\.");
        b.with(new Barrier.ThreadFence(
                parts[1].equals("sc") ? Sem.SC : Sem.ACQ_REL, Scope.valueOf(parts[2].toUpperCase(Locale.ROOT))));
    }

    private static void store(CodeBuilder b, Ordering ordering, GlobalAddress address, Immediate<B32> value) {
        b.st(ordering, CacheOperator.NONE, ScalarType.U32, address, List.of(value));
    }

    /** Steps like {@code fence.acq_rel.gpu}, {@code st.relaxed.gpu}, {@code red.release.gpu}. */
    private static void raise(Context p, String steps) {
        for (String step : steps.split(" ")) {
            String rest = step.substring(step.indexOf('.') + 1);
            if (step.startsWith("fence")) {
                fence(p.b(), step);
            } else if (step.startsWith("red")) {
                p.b().red(ordering(rest), AtomicOperation.ADD, ScalarType.U32, flag(p), ONE);
            } else {
                store(p.b(), ordering(rest), flag(p), ONE);
            }
        }
    }

    /** Polls for a while; whether the flag was up. */
    private static Reg<Pred> up(Context p, String load) {
        CodeBuilder b = p.b();
        Reg<B32> seen = b.b32();
        Reg<B32> tries = b.b32();
        b.mov(seen, 0);
        b.mov(tries, 0);
        b.doWhile("poll", l -> {
            if (load.startsWith("atom")) {
                l.mov(seen, l.atom32(ordering(load.substring(5)), AtomicOperation.OR, flag(p), Immediate.b32(0)));
            } else {
                l.mov(seen, l.ld32(ordering(load.substring(3)), flag(p)));
            }
            l.add(tries, tries, 1);
            return l.andPred(l.eq(seen, 0), l.lt(tries, POLLS));
        });
        return b.ne(seen, 0);
    }

    private static void lowerFlag(Context p, String steps, Consumer<Context> then) {
        String[] parts = steps.split(" ");
        p.b().ifThen(up(p, parts[0]), b -> {
            if (parts.length > 1) {
                fence(b, parts[1]);
            }
            then.accept(inside(p, b));
        });
    }

    /** MP. The columns: where the threads are, how the flag is written, how it is read, what is wrong if anything. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CLUSTERS | st.release.gpu                     | ld.acquire.gpu                    |
        CLUSTERS | st.release.sys                     | ld.acquire.gpu                    |
        CLUSTERS | red.release.gpu                    | ld.acquire.gpu                    |
        CLUSTERS | st.release.gpu                     | atom.acquire.gpu                  |
        CLUSTERS | fence.acq_rel.gpu st.relaxed.gpu   | ld.relaxed.gpu fence.acq_rel.gpu  |
        CLUSTERS | fence.sc.sys st.volatile           | ld.volatile fence.sc.sys          |
        CLUSTERS | fence.acq_rel.gpu red.relaxed.gpu  | atom.relaxed.gpu fence.acq_rel.gpu |
        CLUSTERS | fence.acq_rel.gpu st.relaxed.sys   | ld.acquire.sys                    |
        CLUSTERS | st.release.gpu red.relaxed.gpu     | ld.acquire.gpu                    |
        CLUSTERS | st.weak                            | ld.weak                           | of buffer
        CLUSTERS | st.weak                            | ld.acquire.gpu                    | of buffer
        CLUSTERS | st.release.gpu                     | ld.weak                           | of buffer
        CLUSTERS | st.relaxed.gpu                     | ld.acquire.gpu                    | the store at tiny line .* is relaxed
        CLUSTERS | red.relaxed.gpu                    | ld.acquire.gpu                    | the reduction at tiny line .* is relaxed
        CLUSTERS | st.release.gpu                     | ld.relaxed.gpu                    | the load at tiny line .* is relaxed
        CLUSTERS | st.release.gpu                     | atom.relaxed.gpu                  | the atomic at tiny line .* is relaxed
        CLUSTERS | st.relaxed.gpu fence.acq_rel.gpu   | ld.acquire.gpu                    | is relaxed, without a fence before it
        CLUSTERS | fence.acq_rel.gpu st.relaxed.gpu   | ld.relaxed.gpu                    | without a fence of scope .gpu
        CLUSTERS | fence.acq_rel.cta st.relaxed.gpu   | ld.acquire.gpu                    | the fence before it has scope .cta
        CLUSTERS | fence.acq_rel.gpu st.relaxed.gpu   | ld.relaxed.gpu fence.acq_rel.cta  | without a fence of scope .gpu
        CLUSTERS | st.release.cta                     | ld.acquire.gpu                    | scope .cta
        CLUSTERS | st.release.cluster                 | ld.acquire.gpu                    | scope .cluster
        CLUSTERS | st.release.gpu                     | ld.acquire.cta                    | scope .cta
        CLUSTERS | st.volatile                        | ld.volatile                       | is relaxed
        CTAS     | st.release.cluster                 | ld.acquire.cluster                |
        CTAS     | fence.acq_rel.cluster st.relaxed.cluster | ld.relaxed.gpu fence.acq_rel.cluster |
        CTAS     | st.release.cta                     | ld.acquire.cluster                | scope .cta
        CTAS     | st.release.cluster                 | ld.acquire.cta                    | scope .cta
        WARPS    | st.release.cta                     | ld.acquire.cta                    |
        WARPS    | fence.acq_rel.cta st.volatile      | ld.volatile fence.acq_rel.cta     |
        WARPS    | st.relaxed.cta                     | ld.relaxed.cta                    | is relaxed
        WARPS    | st.weak                            | ld.weak                           | of buffer
        """)
    void messagePassing(Between between, String writes, String reads, String wrong) {
        Consumer<Context> writer = p -> {
            p.b().st32(data(p), ONE);
            raise(p, writes);
        };
        Consumer<Context> reader = p -> lowerFlag(p, reads, q -> q.b().ld32(data(q)));
        if (wrong == null) {
            between.requireClean(writer, reader);
        } else {
            Finding finding = between.finding(writer, reader);
            assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
            assertThat(finding.message()).containsPattern(wrong).contains("tiny line", "CTA", "warp", "lane");
        }
    }

    /** The same where the data are relaxed too: no race, but the reader may find the old ones. PTX 8.10.6. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CLUSTERS | st.release.gpu                     | ld.acquire.gpu                    |
        CLUSTERS | red.release.gpu                    | ld.acquire.gpu                    |
        CLUSTERS | fence.acq_rel.gpu st.relaxed.gpu   | ld.relaxed.gpu fence.acq_rel.gpu  |
        CLUSTERS | fence.sc.sys st.volatile           | ld.volatile fence.sc.sys          |
        CLUSTERS | fence.acq_rel.gpu red.relaxed.gpu  | atom.relaxed.gpu fence.acq_rel.gpu |
        CLUSTERS | st.relaxed.gpu                     | ld.relaxed.gpu                    | without a fence before it
        CLUSTERS | st.relaxed.gpu                     | ld.relaxed.gpu fence.acq_rel.gpu  | without a fence before it
        CLUSTERS | st.relaxed.gpu                     | ld.acquire.gpu                    | without a fence before it
        CLUSTERS | red.relaxed.gpu                    | ld.acquire.gpu                    | without a fence before it
        CLUSTERS | st.volatile                        | ld.volatile                       | without a fence before it
        CLUSTERS | st.release.gpu                     | ld.relaxed.gpu                    | without a fence of scope .gpu
        CLUSTERS | st.release.gpu                     | atom.relaxed.gpu                  | without a fence of scope .gpu
        CLUSTERS | fence.acq_rel.gpu st.relaxed.gpu   | ld.relaxed.gpu                    | without a fence of scope .gpu
        CLUSTERS | fence.acq_rel.cta st.relaxed.gpu   | ld.acquire.gpu                    | the fence before it has scope .cta
        CTAS     | st.release.cluster                 | ld.acquire.cluster                |
        WARPS    | st.release.cta                     | ld.acquire.cta                    |
        WARPS    | st.relaxed.cta                     | ld.relaxed.cta                    | is relaxed
        """)
    void relaxedMessage(Between between, String writes, String reads, String wrong) {
        Ordering relaxed = Ordering.relaxed(Scope.SYS);
        Consumer<Context> writer = p -> {
            store(p.b(), relaxed, data(p), ONE);
            raise(p, writes);
        };
        Consumer<Context> reader = p -> lowerFlag(p, reads, q -> q.b().ld32(relaxed, data(q)));
        if (wrong == null) {
            between.requireClean(writer, reader);
            return;
        }
        Finding finding = between.finding(writer, reader);
        assertThat(finding.rule()).isEqualTo(Rule.RELAXED_MESSAGE);
        assertThat(finding.message()).containsPattern(wrong).contains("may find the old value", "tiny line");
    }

    /** A word that is asked for again and again may be old at first; one that was read once cannot become old again. */
    @Test
    void relaxedWordsThatAreNoMessage() {
        Ordering relaxed = Ordering.relaxed(Scope.GPU);
        Between.CLUSTERS.requireClean(
                p -> {
                    store(p.b(), relaxed, data(p), ONE);
                    raise(p, "st.relaxed.gpu");
                },
                p -> lowerFlag(p, "ld.relaxed.gpu", q -> {
                    q.b().ld32(relaxed, flag(q));
                    q.b().doWhile("again", l -> l.eq(l.ld32(relaxed, data(q)), 0));
                    q.b().ld32(relaxed, data(q));
                }));
    }

    /** Reductions do not acquire. PTX 8.11.1. */
    @Test
    void reductionsDoNotAcquire() {
        Finding finding = Between.CLUSTERS.finding(
                p -> {
                    p.b().st32(data(p), ONE);
                    raise(p, "st.release.gpu");
                },
                p -> {
                    raise(p, "red.relaxed.gpu fence.acq_rel.gpu");
                    p.b().ld32(data(p));
                });
        assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
    }

    /** SB: strong accesses do not race whatever they read; weak ones do, also with fence.sc between. */
    @Test
    void storeBuffering() {
        Ordering relaxed = Ordering.relaxed(Scope.GPU);
        Between.CLUSTERS.requireClean(
                p -> {
                    store(p.b(), relaxed, data(p), ONE);
                    fence(p.b(), "fence.sc.gpu");
                    p.b().ld32(relaxed, flag(p));
                },
                p -> {
                    store(p.b(), relaxed, flag(p), ONE);
                    fence(p.b(), "fence.sc.gpu");
                    p.b().ld32(relaxed, data(p));
                });
        Finding finding = Between.CLUSTERS.finding(
                p -> {
                    p.b().st32(data(p), ONE);
                    fence(p.b(), "fence.sc.gpu");
                    p.b().ld32(flag(p));
                },
                p -> {
                    p.b().st32(flag(p), ONE);
                    fence(p.b(), "fence.sc.gpu");
                    p.b().ld32(data(p));
                });
        assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
    }

    /** fence.sc of one thread comes behind that of another without any word between them. */
    @Test
    void sequentialFencesSynchronise() {
        Consumer<Context> writer = p -> {
            p.b().st32(data(p), ONE);
            fence(p.b(), "fence.sc.gpu");
            raise(p, "st.relaxed.gpu");
        };
        Between.CLUSTERS.requireClean(
                writer, p -> lowerFlag(p, "ld.relaxed.gpu fence.sc.gpu", q -> q.b().ld32(data(q))));
    }

    @Test
    void counterOfAllThreads() {
        Consumer<Context> counts =
                p -> p.b().red(Ordering.relaxed(Scope.GPU), AtomicOperation.ADD, ScalarType.U32, flag(p), ONE);
        new TinyKernel(64, 1, counts).requireClean(4);
        Finding narrow = new TinyKernel(
                        64,
                        1,
                        p -> p.b().red(Ordering.relaxed(Scope.CTA), AtomicOperation.ADD, ScalarType.U32, flag(p), ONE))
                .finding(2);
        assertThat(narrow.message()).contains("scope", ".cta").contains("the reduction of tiny line");
        Finding plain = new TinyKernel(64, 1, p -> p.b().st32(flag(p), p.b().add(p.b().ld32(flag(p)), 1))).finding(2);
        assertThat(plain.hazard()).isInstanceOf(Hazard.Race.class);
    }

    /** The last of several CTAs reads what all wrote: fence, count, fence. */
    private static TinyKernel lastBlock(boolean fenceBefore, boolean fenceBehind) {
        return new TinyKernel(
                32,
                1,
                p -> p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                    Reg<B32> cta = b.special(SpecialRegister.CTAID_X);
                    b.st32(GlobalAddress.of(b.madWide(cta, 4, p.buffer().base())), cta);
                    if (fenceBefore) {
                        fence(b, "fence.acq_rel.gpu");
                    }
                    Reg<B32> before = b.atom32(Ordering.relaxed(Scope.GPU), AtomicOperation.ADD, flag(p), ONE);
                    b.ifThen(b.eq(before, 3), last -> {
                        if (fenceBehind) {
                            fence(last, "fence.acq_rel.gpu");
                        }
                        for (int i = 0; i < 4; i++) {
                            last.ld32(p.buffer().plus(4 * i));
                        }
                    });
                }));
    }

    @Test
    void lastBlockReadsAll() {
        lastBlock(true, true).requireClean(4);
        assertThat(lastBlock(false, true).finding(4).message()).contains("the atomic at", "is relaxed");
        assertThat(lastBlock(true, false).finding(4).message()).contains("the atomic at", "is relaxed");
    }

    @Test
    void sameValueByAllIsNoRace() {
        new TinyKernel(64, 1, p -> p.b().st32(data(p), ONE)).requireClean(2);
        Finding finding = new TinyKernel(64, 1, p -> p.b().st32(data(p), p.thread())).finding(1);
        assertThat(finding.hazard()).isInstanceOf(Hazard.Race.class);
    }

    @Test
    void neighboursInAWordDoNotRace() {
        new TinyKernel(64, 1, p -> {
                    CodeBuilder b = p.b();
                    GlobalAddress own =
                            GlobalAddress.of(b.madWide(p.thread(), 2, p.buffer().base()));
                    b.st(ScalarType.B16, own, b.narrow16(p.thread()));
                    b.ld(ScalarType.B16, b.fresh(ScalarType.B16), own);
                    b.st(ScalarType.B16, own, b.narrow16(p.thread()));
                })
                .requireClean(1);
        Finding finding = new TinyKernel(64, 1, p -> {
                    CodeBuilder b = p.b();
                    GlobalAddress own =
                            GlobalAddress.of(b.madWide(p.thread(), 2, p.buffer().base()));
                    b.st(ScalarType.B16, own, b.narrow16(p.thread()));
                    b.guarded(
                            b.eq(p.thread(), 40),
                            g -> g.ld(
                                    ScalarType.B16,
                                    g.fresh(ScalarType.B16),
                                    new GlobalAddress(p.buffer().base(), 6)));
                })
                .finding(1);
        assertThat(finding.message()).contains("bytes 4..7 of buffer buffer");
    }

    @Test
    void nonCoherentLoadOfWhatTheKernelWrote() {
        Finding finding = new TinyKernel(
                        32,
                        1,
                        p -> p.b().ifThen(p.b().elect(), b -> {
                            b.st32(data(p), ONE);
                            b.with(new Memory.Load(
                                    Ordering.DEFAULT, CacheOperator.NC, ScalarType.U32, List.of(b.b32()), data(p)));
                        }))
                .finding();
        assertThat(finding.message()).contains("a non-coherent load");
    }
}
