package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;

/**
 * Where a cluster lies in the grid of clusters.
 *
 * @param id linear id among the clusters
 */
public record ClusterPlace(int id, int x, int y, int z) {
    /** The place of a cluster in the grid of a launch. */
    public static ClusterPlace of(int id, Launch launch) {
        int width = launch.grid().x() / launch.cluster().x();
        int height = launch.grid().y() / launch.cluster().y();
        return new ClusterPlace(id, id % width, id / width % height, id / width / height);
    }

    /** The place of one of its CTAs, on an SM. */
    public CtaPlace cta(int rank, Launch launch, int sm) {
        Dim3 extent = launch.cluster();
        int ctaX = x * extent.x() + rank % extent.x();
        int ctaY = y * extent.y() + rank / extent.x() % extent.y();
        int ctaZ = z * extent.z() + rank / extent.x() / extent.y();
        int linear = ctaX + launch.grid().x() * (ctaY + launch.grid().y() * ctaZ);
        return new CtaPlace(this, rank, linear, ctaX, ctaY, ctaZ, sm);
    }
}
