package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;

/**
 * The position of a cluster in the grid of clusters.
 *
 * @param id linear id among the clusters
 */
public record ClusterCoordinates(int id, int x, int y, int z) {
    /** The coordinates of cluster {@code id} in the grid of a launch. */
    public static ClusterCoordinates of(int id, Launch launch) {
        int width = launch.grid().x() / launch.cluster().x();
        int height = launch.grid().y() / launch.cluster().y();
        return new ClusterCoordinates(id, id % width, id / width % height, id / width / height);
    }

    /** The coordinates of the CTA of that rank in this cluster; it runs on {@code sm}. */
    public CtaCoordinates cta(int rank, Launch launch, int sm) {
        Dim3 extent = launch.cluster();
        int ctaX = x * extent.x() + rank % extent.x();
        int ctaY = y * extent.y() + rank / extent.x() % extent.y();
        int ctaZ = z * extent.z() + rank / extent.x() / extent.y();
        int linear = ctaX + launch.grid().x() * (ctaY + launch.grid().y() * ctaZ);
        return new CtaCoordinates(this, rank, linear, ctaX, ctaY, ctaZ, sm);
    }
}
