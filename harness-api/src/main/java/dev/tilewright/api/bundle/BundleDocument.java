package dev.tilewright.api.bundle;

import dev.tilewright.bundle.BundleName;
import java.time.Instant;
import java.util.List;

/**
 * A version of a bundle.
 *
 * @param family by which a job names this version
 * @param version the first digits of the hash
 * @param hash SHA-256 over its files
 * @param bytes of its zip
 * @param uploadedBy name of the token
 */
record BundleDocument(
        String name, String family, String version, String hash, int bytes, String uploadedBy, Instant uploadedAt) {

    static BundleDocument of(BundleRow row) {
        return new BundleDocument(
                row.name(),
                BundleName.of(row.name(), row.hash()).toString(),
                BundleName.version(row.hash()),
                row.hash(),
                row.bytes(),
                row.uploadedBy(),
                row.uploadedAt());
    }

    /** Several of them. */
    record BundleList(List<BundleDocument> items) {

        static BundleList of(List<BundleRow> rows) {
            return new BundleList(rows.stream().map(BundleDocument::of).toList());
        }
    }
}
