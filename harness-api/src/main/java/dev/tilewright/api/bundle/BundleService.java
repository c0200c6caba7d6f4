package dev.tilewright.api.bundle;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.bundle.BundleName;
import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.FamilySpace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Keeps bundles, and reads them as families. A version never changes: those that were asked for last are kept read. */
@Service
public class BundleService implements Families.Brought {

    private static final int KEPT = 4;

    private final BundleRepository bundles;
    private final Clock clock;
    private final Map<BundleName, BundleSpace> read = new LinkedHashMap<>(KEPT, 0.75f, true);

    BundleService(BundleRepository bundles, Clock clock) {
        this.bundles = bundles;
        this.clock = clock;
    }

    /**
     * Keeps a bundle. One is read at a time: each may be four times as large as it came.
     *
     * @throws ApiProblem 422 with file, place and rule if it is none
     */
    synchronized BundleDocument keep(byte[] zip, Caller caller) {
        BundleSpace space;
        byte[] anew;
        try {
            BundleFiles files = BundleFiles.unzipped(new ByteArrayInputStream(zip));
            space = BundleSpace.of(Bundle.read(files));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            files.zip(out);
            anew = out.toByteArray();
        } catch (BundleException wrong) {
            throw ApiProblem.invalid("", String.valueOf(wrong.getMessage()));
        } catch (IOException broken) {
            throw ApiProblem.invalid("", "is no zip: " + broken.getMessage());
        }
        BundleRow row = new BundleRow(
                space.bundle().hash(), space.bundle().name(), anew.length, caller.name(), clock.instant());
        bundles.keep(row, anew);
        return BundleDocument.of(row);
    }

    List<BundleRow> newest() {
        return bundles.newest();
    }

    /** The versions of a bundle, the newest first; 404 if there is none. */
    List<BundleRow> versions(String name) {
        List<BundleRow> versions = bundles.versions(name);
        if (versions.isEmpty()) {
            throw ApiProblem.notFound("bundle", name);
        }
        return versions;
    }

    /** The zip of a version; 404 if there is none. */
    byte[] zip(String version) {
        return bundles.zip(version).orElseThrow(() -> ApiProblem.notFound("version of a bundle", version));
    }

    @Override
    public Optional<FamilySpace> find(String family) {
        return BundleName.parse(family).map(name -> name.version().isPresent() ? named(name) : newest(name));
    }

    private BundleSpace newest(BundleName name) {
        return bundles.newest(name.name())
                .map(row -> named(BundleName.of(row.name(), row.hash())))
                .orElseThrow(() -> unknown(name));
    }

    private BundleSpace named(BundleName name) {
        // One is unpacked at a time: who else asks for it finds it read.
        synchronized (read) {
            BundleSpace known = read.get(name);
            if (known != null) {
                return known;
            }
            BundleSpace space = bundles.zip(name.version().orElseThrow())
                    .map(BundleService::read)
                    .filter(stored -> stored.family().equals(name.toString()))
                    .orElseThrow(() -> unknown(name));
            read.put(name, space);
            if (read.size() > KEPT) {
                read.remove(read.keySet().iterator().next());
            }
            return space;
        }
    }

    private static BundleSpace read(byte[] zip) {
        try {
            return BundleSpace.unzipped(zip);
        } catch (IOException broken) {
            throw new IllegalStateException("a stored bundle cannot be read", broken);
        }
    }

    private IllegalArgumentException unknown(BundleName name) {
        return new IllegalArgumentException("there is no " + name + "; known: "
                + bundles.newest().stream()
                        .map(row -> BundleName.of(row.name(), row.hash()).toString())
                        .collect(Collectors.joining(", ")));
    }
}
