package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.async.PendingOperation;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.launch.CancelAnswer;
import dev.tilewright.emulator.memory.Landing;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.warp.ClusterCoordinates;
import dev.tilewright.emulator.warp.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

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
            landing = Landing.noCopy(
                    origin.manner(), origin.evidence(), origin.warp().cta().id(), barrier);
            cta.shared().requireAnswerFenced(at, CancelAnswer.BYTES, barrier);
            cta.shared().beginCopy(at, CancelAnswer.BYTES, landing);
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
            cta.shared().land(at, bytes, 0, CancelAnswer.BYTES, landing);
            barrier.complete(CancelAnswer.BYTES, origin.evidence());
            return true;
        }
    }

    private final Origin origin;
    private final Cluster asking;
    private final Device device;
    private final List<Delivery> deliveries = new ArrayList<>();

    /**
     * A request just made by whoever acts: claims the bytes of the answer.
     *
     * @param asking the cluster of whoever acts
     * @param ctas to which it is answered
     * @param at offset of the answer in the shared memory of each CTA
     * @param barrier its offset
     */
    public Cancellation(Origin origin, Cluster asking, Device device, List<Cta> ctas, int at, int barrier) {
        this.origin = origin;
        this.asking = asking;
        this.device = device;
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
        OptionalInt cancelled = device.queue().cancel(device.tally().steps());
        asking.answered(cancelled.isPresent());
        cancelled.ifPresent(
                cluster -> device.taken().cluster(origin.warp().cta().id(), cluster));
        CancelAnswer answer = cancelled.isPresent() ? success(cancelled.getAsInt()) : CancelAnswer.FAILED;
        for (Delivery delivery : deliveries) {
            delivery.bytes = answer.bytes();
            device.async().add(delivery);
        }
        return true;
    }

    /** The answer that this cluster was cancelled: the coordinates of its first CTA. */
    private CancelAnswer success(int cluster) {
        ClusterCoordinates first = ClusterCoordinates.of(cluster, device.launch());
        Dim3 extent = device.launch().cluster();
        return new CancelAnswer(true, first.x() * extent.x(), first.y() * extent.y(), first.z() * extent.z());
    }
}
