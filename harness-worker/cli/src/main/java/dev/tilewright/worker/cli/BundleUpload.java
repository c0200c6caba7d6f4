package dev.tilewright.worker.cli;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A bundle on its way to the service.
 *
 * @param zip of its files, as the service keeps them
 */
public record BundleUpload(Bundle bundle, byte[] zip) {

    /** What the service says of a bundle that it keeps. */
    public record Kept(String name, String family, String hash, int bytes) {}

    /** Whether a text names a folder or a zip, and no family. */
    static boolean isPath(String text) {
        return text.contains("/") || text.endsWith(".zip") || (!text.isEmpty() && Files.exists(Path.of(text)));
    }

    /**
     * Reads a folder or a zip.
     *
     * @throws CommandFailedException naming path, position and rule if it is no bundle
     */
    public static BundleUpload read(Path path) {
        if (!Files.exists(path)) {
            throw CommandFailedException.usage(path + ": there is no such folder or zip");
        }
        try {
            BundleFiles files = BundleFiles.read(path);
            Bundle bundle = Bundle.read(files);
            BundleSpace.of(bundle);
            ByteArrayOutputStream zip = new ByteArrayOutputStream();
            files.zip(zip);
            if (zip.size() > BundleSpace.MOST_ZIP_BYTES) {
                throw CommandFailedException.usage(path + ": its zip must have at most " + BundleSpace.MOST_ZIP_BYTES
                        + " bytes, got " + zip.size());
            }
            return new BundleUpload(bundle, zip.toByteArray());
        } catch (BundleException wrong) {
            throw CommandFailedException.usage(path + ": " + Suggestion.to(String.valueOf(wrong.getMessage())), wrong);
        } catch (IOException unreadable) {
            throw CommandFailedException.usage(path + ": cannot be read: " + FileFault.reason(unreadable), unreadable);
        }
    }

    /** A problem of the types and layouts that it takes. */
    public Problem problem() {
        return bundle.problem().of(new ProblemShape(1, 1, 1), 1);
    }

    /** Sends it; sent twice, it is kept once. */
    public Kept send(Connection connection) throws ApiRefusedException, InterruptedException {
        return connection.send(api -> api.upload("/api/v1/bundles", "application/zip", zip, Kept.class));
    }
}
