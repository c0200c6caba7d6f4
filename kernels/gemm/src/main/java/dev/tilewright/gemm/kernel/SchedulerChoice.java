package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.scheduler.CancelSource;
import dev.tilewright.gemm.scheduler.ClusterNumber;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.scheduler.CounterSource;
import dev.tilewright.gemm.scheduler.RingTileScheduler;
import dev.tilewright.gemm.scheduler.SingleTileScheduler;
import dev.tilewright.gemm.scheduler.StaticTileScheduler;
import dev.tilewright.gemm.scheduler.TileRing;
import dev.tilewright.gemm.scheduler.TileScheduler;
import dev.tilewright.gemm.scheduler.TileSource;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.space.gemm.RingPlan;
import dev.tilewright.space.parameter.Scheduler;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The tile scheduler of a kernel: what is declared of it, and then its code.
 *
 * @param ring declared for a dynamic one
 */
public record SchedulerChoice(Scheduler scheduler, Optional<TileRing.Declaration> ring) {

    /** @param readers arrivals that free a slot of the ring, of all CTAs of a cluster and the scheduler */
    public static SchedulerChoice declare(EntryBuilder entry, Scheduler scheduler, RingPlan plan, int readers) {
        return new SchedulerChoice(
                scheduler,
                scheduler.dynamic() ? Optional.of(TileRing.declare(entry, plan, readers)) : Optional.empty());
    }

    /** @param failures in a traced twin, see {@link RingTileScheduler} */
    public TileScheduler build(
            TileArguments arguments, ClusterPlace cluster, Optional<BiConsumer<CodeBuilder, Reg<B32>>> failures) {
        Param tiles = arguments.clusterTiles();
        ClusterNumber number = new ClusterNumber(cluster, arguments.deal());
        return switch (scheduler) {
            case SINGLE -> new SingleTileScheduler(number, tiles);
            case STATIC -> new StaticTileScheduler(number, tiles);
            case ATOMIC -> {
                TileRing written = declared().written(cluster);
                TileSource counter =
                        new CounterSource(cluster, tiles, arguments.counter().orElseThrow());
                yield new RingTileScheduler(cluster, number, tiles, declared().plan(), written, counter, failures);
            }
            case CLC -> {
                TileRing answered = declared().answered(cluster);
                TileSource cancelled = new CancelSource(cluster);
                yield new RingTileScheduler(cluster, number, tiles, declared().plan(), answered, cancelled, failures);
            }
        };
    }

    private TileRing.Declaration declared() {
        return ring.orElseThrow();
    }
}
