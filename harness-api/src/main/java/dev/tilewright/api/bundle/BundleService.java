package dev.tilewright.api.bundle;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.bundle.BundleName;
import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.space.families.Families;
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
import org.springframework.transaction.support.TransactionTemplate;

/** Keeps bundles, and reads them as families. A version never changes: those that were asked for last are kept read. */
@Service
public class BundleService implements Families.Brought {

    private static final int KEPT = 1 + FamilySpace.MOST_PEERS;

    private final BundleRepository bundles;
    private final Clock clock;
    private final Map<BundleName, BundleSpace> read = new LinkedHashMap<>(KEPT, 0.75f, true);

    private final BundleSettings settings;
    private final TransactionTemplate transactions;

    BundleService(BundleRepository bundles, BundleSettings settings, TransactionTemplate transactions, Clock clock) {
        this.bundles = bundles;
        this.settings = settings;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Keeps a bundle. One is read at a time: each may be four times as large as it came.
     *
     * @throws ApiProblem 422 with file, position and rule if it is none, 409 if there is no room for it
     */
    synchronized BundleDocument keep(byte[] zip, Caller caller) {
        BundleSpace space;
        byte[] anew;
        try {
            Bundle bundle = Bundle.read(BundleFiles.unzipped(new ByteArrayInputStream(zip)));
            BundleFiles files = bundle.files();
            requireTexts(files);
            space = BundleSpace.of(bundle);
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
        transactions.executeWithoutResult(_ -> {
            bundles.lock();
            requireRoom(row);
            bundles.keep(row, anew);
        });
        return BundleDocument.of(row);
    }

    private void requireTexts(BundleFiles files) {
        files.names().stream()
                .filter(name -> !settings.cubins() && name.endsWith(BundleKernel.CUBIN))
                .findFirst()
                .ifPresent(cubin -> {
                    throw new BundleException(cubin + " is a cubin, of which nothing can be proved: this service takes"
                            + " none unless it is started with TILEWRIGHT_BUNDLE_CUBINS=true");
                });
    }

    private void requireRoom(BundleRow row) {
        long others = bundles.bytesBeside(row.hash());
        if (others + row.bytes() > settings.quota().toBytes()) {
            throw new ApiProblem(
                    ProblemType.NO_ROOM,
                    "all bundles together have at most " + settings.quota().toBytes() + " bytes; there are " + others
                            + ", and this one has " + row.bytes() + ": delete versions that nobody needs");
        }
    }

    /**
     * Deletes a version.
     *
     * @throws ApiProblem 404 if there is none, 403 if the caller did not push it and is no operator, 409 if something
     *     that is not over uses it
     */
    void delete(String name, String version, Caller caller) {
        BundleName family = new BundleName(name, Optional.of(version));
        transactions.executeWithoutResult(_ -> {
            BundleRow row = bundles.toDelete(name, version)
                    .orElseThrow(() -> ApiProblem.notFound("bundle", name + "@" + version));
            caller.requireMayDelete(family.toString(), row.uploadedBy());
            bundles.user(family.toString()).ifPresent(user -> {
                throw new ApiProblem(
                        ProblemType.IN_USE, family + " is used by " + user + ", which is not over: cancel that first");
            });
            bundles.delete(row.hash());
        });
        synchronized (read) {
            read.remove(family);
        }
    }

    /**
     * Makes sure that the version of a family is not deleted before the transaction ends; of a family that is no
     * version of a bundle there is nothing to do.
     *
     * @param pointer to where a request names it
     * @throws ApiProblem 422 if it is not there
     */
    public void hold(String family, String pointer) {
        BundleName.parse(family)
                .filter(name -> name.version().isPresent())
                .filter(name -> bundles.held(name.name(), name.version().get()).isEmpty())
                .ifPresent(name -> {
                    throw ApiProblem.invalid(
                            pointer, String.valueOf(unknown(name).getMessage()));
                });
    }

    /** The names of all bundles as families, each in its newest version. */
    public List<String> families() {
        return newest().stream()
                .map(row -> new BundleName(row.name(), Optional.empty()).toString())
                .toList();
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

    /** The names of the versions of a bundle, the newest first; none if there is no such bundle. */
    public List<BundleName> names(String name) {
        return bundles.versions(name).stream()
                .map(row -> BundleName.of(row.name(), row.hash()))
                .toList();
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
        String known = bundles.newest().stream()
                .map(row -> BundleName.of(row.name(), row.hash()).toString())
                .collect(Collectors.joining(", "));
        return new IllegalArgumentException(
                "there is no " + name + (known.isEmpty() ? ", nor any other bundle" : "; known: " + known));
    }
}
