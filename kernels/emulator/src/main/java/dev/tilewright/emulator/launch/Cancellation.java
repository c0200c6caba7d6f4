package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.async.PendingOperation;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Origin;
import dev.tilewright.emulator.memory.Landing;
import java.util.ArrayList;
import java.util.List;

/** A clusterlaunchcontrol.try_cancel under way: decided some time, then answered to each CTA. PTX 9.7.13.17. */
public final class Cancellation implements PendingOperation {
    /** An answer on its way to one CTA. */
    private static final class Delivery implements PendingOperation {
        private final Origin origin;
        private final Cta cta;
        private final int at;
        private final Mbarrier barrier;
        private final Landing landing;
        private byte[] bytes = new byte[0];

        Delivery(Origin origin, Cta cta, int at, Mbarrier barrier) {
            this.origin = origin;
            this.cta = cta;
            this.at = at;
            this.barrier = barrier;
            // Like a store of the CTA that asks: of another CTA's wait it needs the cluster's scope.
            landing = Landing.onBarrier(origin, origin.warp().cta().id(), barrier);
            cta.shared().requireAnswerFenced(at, Answer.BYTES, barrier);
            cta.shared().beginCopy(at, Answer.BYTES, landing);
        }

        @Override
        public Origin origin() {
            return origin;
        }

        @Override
        public boolean advance() {
            if (cta.threads() == 0) {
                throw new HazardFound(new Hazard.ExitedCta("the answer of try_cancel to " + origin, cta.id()));
            }
            cta.shared().land(at, bytes, 0, Answer.BYTES, landing);
            barrier.complete(Answer.BYTES, origin.evidence());
            return true;
        }
    }

    private final Origin origin;
    private final List<Delivery> deliveries = new ArrayList<>();

    /**
     * A request just made by whoever acts: claims the places of the answer.
     *
     * @param at offset of the answer in the shared memory of each CTA
     * @param barrier its offset
     */
    public Cancellation(Origin origin, List<Cta> ctas, int at, int barrier) {
        this.origin = origin;
        for (Cta cta : ctas) {
            Mbarrier counting = cta.shared().barrier(barrier, "clusterlaunchcontrol.try_cancel");
            counting.requireVisible(
                    "clusterlaunchcontrol.try_cancel", origin.warp().cta().id());
            deliveries.add(new Delivery(origin, cta, at, counting));
        }
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean isCopy() {
        return false;
    }

    @Override
    public boolean advance() {
        Cluster asking = origin.warp().cta().cluster();
        Answer answer = asking.grid().cancelCluster(asking);
        for (Delivery delivery : deliveries) {
            delivery.bytes = answer.bytes();
            asking.grid().async().add(delivery);
        }
        return true;
    }

    /** The answer that a cluster of this place in the grid was cancelled. */
    public static Answer success(int x, int y, int z) {
        return new Answer(true, x, y, z);
    }

    /** The answer that none was. */
    public static Answer failure() {
        return Answer.FAILED;
    }
}
