package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.oracle.DealKernel;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.OracleModule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Looks how a GPU deals the clusters of a launch out to its GPCs, and how many it has at a time. There is no register
 * that says it; but CTAs of one cluster are on one GPC, so that SMs which a chain of clusters joins are.
 */
record DealProbe(Gpu gpu) {

    /**
     * How clusters of every size are dealt out, as far as two launches agree: on a GPU that others use they may not.
     *
     * @throws CudaException if the kernel cannot be loaded
     */
    Map<Integer, ClusterDeal> deals() {
        try (OracleModule module = OracleModule.load(gpu, DealKernel.build())) {
            Map<Integer, ClusterDeal> deals = ClusterDeal.ofEach(gpcs(module));
            deals.entrySet().retainAll(ClusterDeal.ofEach(gpcs(module)).entrySet());
            return deals;
        }
    }

    /**
     * How many clusters of every size are resident at a time, each CTA with an SM of its own, as far as two launches
     * agree.
     *
     * @throws CudaException if the kernel cannot be loaded
     */
    Map<Integer, Integer> resident() {
        try (OracleModule module = OracleModule.load(gpu, DealKernel.build())) {
            Map<Integer, Integer> resident = resident(sms(module));
            resident.entrySet().retainAll(resident(sms(module)).entrySet());
            return resident;
        }
    }

    /**
     * A cluster that finds no room begins when another has ended, on SMs that others had.
     *
     * @param sms of each CTA of a launch, by the size of its clusters
     */
    static Map<Integer, Integer> resident(Map<Integer, List<Integer>> sms) {
        Map<Integer, Integer> resident = new TreeMap<>();
        sms.forEach((size, ctas) ->
                resident.put(size, (int) ctas.stream().distinct().count() / size));
        return resident;
    }

    /** The GPC of each cluster by its id, for every size of cluster; a GPC has the number of its first SM. */
    Map<Integer, List<Integer>> gpcs(OracleModule module) {
        return gpcs(sms(module));
    }

    /** The SM of each CTA of a launch, for every size of cluster. */
    private Map<Integer, List<Integer>> sms(OracleModule module) {
        Map<Integer, List<Integer>> sms = new TreeMap<>();
        try (DeviceBuffer records =
                gpu.allocate((long) Integer.BYTES * gpu.info().smCount())) {
            DealKernel.clusterSizes()
                    .filter(size -> size <= gpu.info().smCount())
                    .forEach(size -> launched(module, records, size).ifPresent(ctas -> sms.put(size, ctas)));
        }
        return sms;
    }

    /** The SM of each CTA; none if the GPU, or what of it is to be had, takes no clusters of this size. */
    private Optional<List<Integer>> launched(OracleModule module, DeviceBuffer records, int clusterSize) {
        var launch =
                DealKernel.launch(clusterSize, gpu.info().smCount(), gpu.info().sharedBytesPerCta(), records.address());
        try {
            module.enqueue(launch);
        } catch (CudaException refused) {
            return Optional.empty();
        }
        byte[] bytes = new byte[Integer.BYTES * launch.gridX()];
        gpu.read(records.address(), bytes);
        var words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
        return Optional.of(
                IntStream.range(0, launch.gridX()).map(words::get).boxed().toList());
    }

    /** @param sms of each CTA of a launch, by the size of its clusters */
    static Map<Integer, List<Integer>> gpcs(Map<Integer, List<Integer>> sms) {
        Map<Integer, Integer> towards = new TreeMap<>();
        sms.forEach((size, ctas) -> {
            for (int cta = 0; cta < ctas.size(); cta++) {
                join(towards, ctas.get(cta - cta % size), ctas.get(cta));
            }
        });
        Map<Integer, List<Integer>> ofClusters = new TreeMap<>();
        sms.forEach((size, ctas) -> {
            List<Integer> gpcs = new ArrayList<>();
            for (int cta = 0; cta < ctas.size(); cta += size) {
                gpcs.add(gpc(towards, ctas.get(cta)));
            }
            ofClusters.put(size, List.copyOf(gpcs));
        });
        return ofClusters;
    }

    /** The first SM of those that are joined so far. */
    private static int gpc(Map<Integer, Integer> towards, int sm) {
        int at = sm;
        while (towards.getOrDefault(at, at) != at) {
            at = towards.get(at);
        }
        return at;
    }

    private static void join(Map<Integer, Integer> towards, int one, int other) {
        int first = gpc(towards, one);
        int second = gpc(towards, other);
        towards.put(Math.max(first, second), Math.min(first, second));
    }
}
