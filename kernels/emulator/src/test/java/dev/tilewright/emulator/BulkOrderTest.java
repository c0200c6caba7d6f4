package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.TinyKernel.Context;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Barrier.ProxyFence;
import dev.tilewright.ptx.instruction.Barrier.ProxyFenceSpace;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders between copies, bulk stores and threads, each with its racy twins. */
class BulkOrderTest {
    private static final List<Immediate<B32>> ORIGIN = List.of(Immediate.b32(0), Immediate.b32(0));

    private static Context inside(Context p, CodeBuilder b) {
        return new Context(b, p.base(), p.thread(), p.data(), p.barriers(), p.buffer(), p.map());
    }

    private static SharedAddress data(Context p) {
        return p.data().at(p.base(), 0);
    }

    private static void initialise(Context p) {
        p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
            b.mbarrierInit(p.barriers().barrier(p.base(), 0), 1);
            b.fenceBarrierInit();
        });
        p.b().syncThreads();
    }

    private static void load(Context p) {
        p.b().mbarrierArriveExpectTx(p.barriers().barrier(p.base(), 0), TinyKernel.BOX);
        p.b().tmaLoad(data(p), p.map(), ORIGIN, p.barriers().barrier(p.base(), 0));
    }

    /** One warp loads; the other waits and reads, or reads behind somebody else's wait. */
    private static TinyKernel loaded(Consumer<Context> reader) {
        return new TinyKernel(96, 1, p -> {
            initialise(p);
            p.b().ifThen(p.b().eq(p.thread(), 0), b -> load(inside(p, b)));
            reader.accept(p);
        });
    }

    @Test
    void copyIsSeenByWhoeverWaits() {
        loaded(p -> p.b().ifThen(p.b().ge(p.thread(), 32), b -> {
                    b.waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                    b.ld32(data(p));
                }))
                .requireClean(1);
        Finding relaxed = loaded(p -> p.b().ifThen(p.b().ge(p.thread(), 32), b -> {
                    b.waitParity(Ordering.relaxed(Scope.CTA), p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                    b.ld32(data(p));
                }))
                .finding();
        assertThat(relaxed.message())
                .contains("race on data+0", "the copy of tiny line", "the wait at tiny line", "is relaxed");
    }

    @Test
    void copyThatAnotherWarpWaitedFor() {
        for (boolean meet : new boolean[] {true, false}) {
            TinyKernel kernel = loaded(p -> {
                p.b().ifThen(
                                p.b().eq(p.b().shr(p.thread(), 5), 1),
                                b -> b.waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0)));
                if (meet) {
                    p.b().syncThreads();
                }
                p.b().ifThen(p.b().eq(p.b().shr(p.thread(), 5), 2), b -> b.ld32(data(p)));
            });
            if (meet) {
                kernel.requireClean(1);
            } else {
                Finding finding = kernel.finding();
                assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.ReadBeforeCopy.class);
            }
        }
    }

    /**
     * Read, then loaded over: the loading thread must know that the readers are done, and somebody must have fenced.
     */
    @ParameterizedTest
    @ValueSource(strings = {"reader", "issuer", "before the read", "none"})
    void copyOverWhatOthersRead(String fence) {
        for (boolean meet : new boolean[] {true, false}) {
            TinyKernel kernel = new TinyKernel(64, 1, p -> {
                initialise(p);
                p.b().ifThen(p.b().lt(p.thread(), 32), b -> {
                    b.st32(data(p), Immediate.b32(1));
                    b.fenceProxyAsyncShared();
                });
                p.b().syncThreads();
                p.b().ifThen(p.b().ge(p.thread(), 32), b -> {
                    if (fence.equals("before the read")) {
                        b.fenceProxyAsyncShared();
                    }
                    b.ld32(data(p));
                    if (fence.equals("reader")) {
                        b.fenceProxyAsyncShared();
                    }
                });
                if (meet) {
                    p.b().syncThreads();
                }
                p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                    if (fence.equals("issuer")) {
                        b.fenceProxyAsyncShared();
                    }
                    load(inside(p, b));
                    b.waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                });
            });
            if (!meet) {
                assertThat(kernel.finding().hazard())
                        .isInstanceOfAny(
                                Hazard.Race.class, Hazard.ReadBeforeCopy.class, Hazard.MissingProxyFence.class);
            } else if (fence.equals("reader") || fence.equals("issuer")) {
                kernel.requireClean(1);
            } else {
                Finding finding = kernel.finding();
                assertThat(finding.rule()).isEqualTo(Rule.REUSE_UNFENCED);
                assertThat(finding.message()).contains("the copy of tiny line", "data+0", "read by tiny line");
            }
        }
    }

    // ---- bulk stores --------------------------------------------------------------------------------------------

    private static void fill(Context p, int threads) {
        p.b().forRange("fill", 0, Immediate.b32(TinyKernel.BOX / 4 / threads), (l, i) -> {
            l.st32(
                    new SharedAddress(
                            l.mad(l.mad(i, threads, p.thread()), 4, p.base()),
                            p.data().offset()),
                    l.add(i, 5));
        });
        p.b().fenceProxyAsyncShared();
    }

    private static void store(Context p) {
        p.b().tmaStore(p.map(), ORIGIN, data(p));
        p.b().bulkCommitGroup();
    }

    /** Filled by two warps, stored by one thread, filled again. */
    @Test
    void panelIsReused() {
        for (int missing = 0; missing < 3; missing++) {
            boolean first = missing != 1;
            boolean second = missing != 2;
            TinyKernel kernel = new TinyKernel(64, 1, p -> {
                fill(p, 64);
                if (first) {
                    p.b().syncThreads();
                }
                p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                    store(inside(p, b));
                    b.bulkWaitGroupRead(0);
                });
                if (second) {
                    p.b().syncThreads();
                }
                fill(p, 64);
            });
            if (missing == 0) {
                kernel.requireClean(1);
            } else {
                Finding finding = kernel.finding();
                assertThat(finding.hazard())
                        .isInstanceOfAny(
                                Hazard.Race.class,
                                Hazard.OverwrittenWhileRead.class,
                                Hazard.UninitialisedRead.class,
                                Hazard.MissingProxyFence.class);
            }
        }
        // The first seed will do: it is not the interleaving that shows it.
        RunEnd verdict = new TinyKernel(64, 1, p -> {
                    fill(p, 64);
                    p.b().syncThreads();
                    p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                        store(inside(p, b));
                        b.bulkWaitGroupRead(0);
                        b.nanosleep(1);
                    });
                    p.b().ifThen(p.b().ge(p.thread(), 32), b -> {
                        // Long enough for the store to be over before.
                        b.forRange("idle", 0, Immediate.b32(2000), (l, i) -> l.add(i, 1));
                        b.st32(data(p), Immediate.b32(77));
                    });
                })
                .run(0);
        assertThat(verdict).isInstanceOf(RunEnd.Faulted.class);
        assertThat(((RunEnd.Faulted) verdict).finding().message())
                .contains("race on data+0", "the bulk store of tiny line", "cp.async.bulk.wait_group(.read)");
    }

    private static Reg<Pred> up(Context p, CodeBuilder b) {
        Reg<B32> seen = b.b32();
        Reg<B32> tries = b.b32();
        b.mov(tries, 0);
        b.doWhile("poll", l -> {
            l.mov(seen, l.ld32(Ordering.acquire(Scope.GPU), p.buffer().plus(TinyKernel.ZEROS)));
            l.add(tries, tries, 1);
            return l.andPred(l.eq(seen, 0), l.lt(tries, 200));
        });
        return b.ne(seen, 0);
    }

    /** CTA 0 makes something and raises a flag; CTA 1 polls for it and uses it. */
    private static TinyKernel toAnotherCta(Consumer<Context> makes, Consumer<Context> uses) {
        return new TinyKernel(32, 1, p -> {
            initialise(p);
            Reg<Pred> first = p.b().eq(p.thread(), 0);
            Reg<B32> cta = p.b().special(SpecialRegister.CTAID_X);
            p.b().ifThen(p.b().andPred(first, p.b().eq(cta, 0)), b -> {
                makes.accept(inside(p, b));
                b.st(
                        Ordering.release(Scope.GPU),
                        CacheOperator.NONE,
                        ScalarType.U32,
                        p.buffer().plus(TinyKernel.ZEROS),
                        List.of(Immediate.b32(1)));
            });
            p.b().ifThen(
                            p.b().andPred(first, p.b().ne(cta, 0)),
                            b -> b.ifThen(up(p, b), seen -> uses.accept(inside(p, seen))));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "read", "none"})
    void storedForAnotherCta(String wait) {
        // One thread fills it all.
        Consumer<Context> makes = p -> {
            fill(
                    new Context(
                            p.b(), p.base(), p.b().mov(Immediate.b32(0)), p.data(), p.barriers(), p.buffer(), p.map()),
                    1);
            store(p);
            if (wait.equals("all")) {
                p.b().with(new BulkCopy.WaitGroup(0, false));
            } else if (wait.equals("read")) {
                p.b().bulkWaitGroupRead(0);
            }
        };
        TinyKernel generic = toAnotherCta(makes, p -> p.b().ld32(p.buffer().plus(64)));
        TinyKernel copied = toAnotherCta(makes, p -> {
            load(p);
            p.b().waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0));
        });
        if (wait.equals("all")) {
            generic.requireClean(2);
            copied.requireClean(2);
        } else {
            for (TinyKernel kernel : List.of(generic, copied)) {
                Finding finding = kernel.finding(2);
                assertThat(finding.hazard()).isInstanceOfAny(Hazard.Race.class, Hazard.LeakedWork.class);
            }
        }
    }

    /** Ordinary stores to global memory, read by a copy: needs a proxy fence on either side of the order. */
    @ParameterizedTest
    @ValueSource(strings = {"writer", "reader", "neither", "shared only"})
    void ordinaryStoreThenCopy(String fence) {
        TinyKernel kernel = toAnotherCta(
                p -> {
                    p.b().st32(p.buffer().plus(64), Immediate.b32(3));
                    if (fence.equals("writer")) {
                        p.b().with(new ProxyFence(ProxyFenceSpace.GLOBAL));
                    } else if (fence.equals("shared only")) {
                        p.b().fenceProxyAsyncShared();
                    }
                },
                p -> {
                    if (fence.equals("reader")) {
                        p.b().with(new ProxyFence(ProxyFenceSpace.ALL));
                    }
                    load(p);
                    p.b().waitParity(p.barriers().barrier(p.base(), 0), Immediate.b32(0));
                });
        if (fence.equals("writer") || fence.equals("reader")) {
            kernel.requireClean(2);
        } else {
            Finding finding = kernel.finding(2);
            assertThat(finding.hazard()).isInstanceOf(Hazard.MissingProxyFence.class);
            assertThat(finding.message()).contains("bytes 64..67 of buffer buffer", "the copy of tiny line");
        }
    }

    @Test
    void twoStoresOverEachOther() {
        Finding finding = new TinyKernel(32, 1, p -> {
                    fill(p, 32);
                    p.b().syncWarp();
                    p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                        store(inside(p, b));
                        b.with(new BulkCopy.WaitGroup(0, false));
                    });
                })
                .finding(2);
        assertThat(finding.message()).contains("of buffer buffer", "is not ordered behind the bulk store of tiny line");
        new TinyKernel(32, 1, p -> {
                    fill(p, 32);
                    p.b().syncWarp();
                    p.b().ifThen(p.b().eq(p.thread(), 0), b -> {
                        b.with(new BulkCopy.TensorReduce(
                                ReduceOperation.ADD, p.map(), List.copyOf(ORIGIN), data(p), Optional.empty()));
                        b.bulkCommitGroup();
                        b.with(new BulkCopy.WaitGroup(0, false));
                    });
                })
                .requireClean(2);
    }

    // ---- what nobody wrote --------------------------------------------------------------------------------------

    private static RunEnd onUninitialised(Consumer<Context> body) {
        TinyKernel kernel = new TinyKernel(32, 1, p -> {
            initialise(p);
            p.b().ifThen(p.b().eq(p.thread(), 0), b -> body.accept(inside(p, b)));
        });
        PtxModule module = kernel.module();
        Launch launch = kernel.launch(1, Buffer.uninitialised("buffer", TinyKernel.BYTES));
        return new PtxEmulator(module, "tiny").run(launch, Options.seed(1).withStepLimit(100_000));
    }

    @Test
    void uninitialisedGlobalMemory() {
        RunEnd written = onUninitialised(p -> {
            p.b().st32(p.buffer().plus(8), Immediate.b32(1));
            p.b().ld32(p.buffer().plus(8));
        });
        assertThat(written).isInstanceOf(RunEnd.Completed.class);
        assertThat(((RunEnd.Completed) written).buffer("buffer")[12]).isEqualTo((byte) 0xA5);
        for (Consumer<Context> reads : List.<Consumer<Context>>of(
                p -> p.b().ld32(p.buffer().plus(8)),
                BulkOrderTest::load,
                p -> p.b().atom32(Ordering.relaxed(Scope.GPU), AtomicOperation.ADD, p.buffer(), Immediate.b32(1)))) {
            RunEnd verdict = onUninitialised(reads);
            assertThat(verdict).isInstanceOf(RunEnd.Faulted.class);
            Finding finding = ((RunEnd.Faulted) verdict).finding();
            assertThat(finding.hazard()).isInstanceOf(Hazard.UninitialisedRead.class);
            assertThat(finding.message()).contains("of buffer buffer, which nobody has written");
        }
    }
}
