package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.launch.ClusterQueue;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Statistics.ClusterRun;
import dev.tilewright.emulator.schedule.StrandScheduler;
import dev.tilewright.emulator.warp.ClusterCoordinates;
import dev.tilewright.emulator.warp.Warp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The clusters of a run: each starts when SMs are free for it. */
final class Clusters {
    private final Program program;
    private final Device device;
    private final StrandScheduler<Strand> scheduler;
    private final Residency residency;
    private final List<Cluster> running = new ArrayList<>();
    private final List<ClusterRun> ended = new ArrayList<>();
    private int endedCtas;

    Clusters(Program program, Device device, StrandScheduler<Strand> scheduler) {
        this.program = program;
        this.device = device;
        this.scheduler = scheduler;
        residency = new Residency(program, device.launch(), device.options().sms());
        residency.occupy(device.options().launching().busySms());
    }

    /** Starts those that find room. */
    void start() {
        ClusterQueue queue = device.queue();
        long steps = device.tally().steps();
        for (int free = queue.released(steps); free > 0 && residency.isOccupied(); free--) {
            residency.release();
        }
        while (!queue.isEmpty() && residency.hasRoom() && queue.mayLaunch(steps)) {
            int[] sms = residency.admit();
            start(new Cluster(ClusterCoordinates.of(queue.launch(steps), device.launch()), sms, device));
        }
    }

    private void start(Cluster cluster) {
        running.add(cluster);
        for (Cta cta : cluster.ctas()) {
            for (Warp warp : cta.warps()) {
                scheduler.ready(Strand.first(new Surroundings(warp, cta, cluster, device, program, scheduler)));
            }
        }
    }

    /** The last thread of a CTA has exited. */
    void ended(Cta cta, Cluster cluster) {
        endedCtas++;
        device.barriers().ended(cta.id(), cta.shared().barriers());
        residency.free(cta.coordinates().sm());
        if (cluster.ctas().stream().allMatch(other -> other.threads() == 0)) {
            running.remove(cluster);
            ended.add(cluster.run());
        }
        start();
    }

    /** Whether every CTA of the grid has ended, or was cancelled with its cluster. */
    boolean haveEnded() {
        Launch launch = device.launch();
        return endedCtas + device.queue().cancelled() * launch.cluster().count()
                >= launch.grid().count();
    }

    int endedCtas() {
        return endedCtas;
    }

    List<Cluster> running() {
        return running;
    }

    /** The clusters that have ended, then the running ones. */
    List<ClusterRun> runs() {
        return Stream.concat(ended.stream(), running.stream().map(Cluster::run)).toList();
    }
}
