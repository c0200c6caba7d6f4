package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.device.ClusterDeal;
import java.util.Optional;
import java.util.function.Function;

/**
 * By which number a cluster takes its tiles: its id, or its number in GPC order. Each role computes it for itself,
 * once. It does so from parameters, because a read of memory would delay the first load of a launch.
 */
public record ClusterNumber(ClusterPlace cluster, Optional<Deal> deal) {

    /** A {@link ClusterDeal} as parameters, by its names. */
    public record Deal(Param first, Param gpcs, Param rounds, Param laterGpcs, Param laterRounds) {

        /** @param deal of the clusters of a launch */
        public static <F> Deal declare(BoundParams<F> params, Function<F, ClusterDeal> deal) {
            return new Deal(
                    params.u32("firstDealt", facts -> deal.apply(facts).first()),
                    params.u32("gpcs", facts -> deal.apply(facts).gpcs()),
                    params.u32("rounds", facts -> deal.apply(facts).rounds()),
                    params.u32("laterGpcs", facts -> deal.apply(facts).laterGpcs()),
                    params.u32("laterRounds", facts -> deal.apply(facts).laterRounds()));
        }

        /**
         * {@link ClusterDeal#inGpcOrder} in unsigned arithmetic: the clusters before the rounds wrap to large numbers.
         */
        private Reg<B32> inGpcOrder(CodeBuilder b, Reg<B32> id) {
            Operand<B32> all = b.mulLo(b.param32(gpcs), b.param32(rounds));
            Reg<B32> in = b.sub(id, b.param32(first));
            Reg<B32> later = b.sub(in, all);
            Reg<Pred> isIn = b.lt(in, all);
            Reg<Pred> isLater = b.lt(later, b.mulLo(b.param32(laterGpcs), b.param32(laterRounds)));
            Reg<B32> own = b.select(isIn, in, later);
            Reg<B32> gpcsOfRound = b.select(isLater, b.param32(laterGpcs), b.param32(gpcs));
            Reg<B32> roundsOfGpc = b.select(isLater, b.param32(laterRounds), b.param32(rounds));
            Reg<B32> round = b.div(own, gpcsOfRound);
            Reg<B32> gpc = b.sub(own, b.mulLo(round, gpcsOfRound));
            Reg<B32> number = b.add(b.mad(gpc, roundsOfGpc, round), b.sub(id, own));
            return b.select(isIn, number, b.select(isLater, number, id));
        }
    }

    /** The number of the own cluster. */
    public Reg<B32> own(CodeBuilder b) {
        Reg<B32> id = cluster.id(b);
        return deal.map(rounds -> rounds.inGpcOrder(b, id)).orElse(id);
    }

    /** How many numbers there are. */
    public Reg<B32> count(CodeBuilder b) {
        return cluster.count(b);
    }
}
