package dev.tilewright.worker.gpu.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The vendor's GEMM libraries, if they are on the machine: 13 before 12; first where the loader looks
 * ({@code LD_LIBRARY_PATH} included), then in the folders of CUDA installations.
 *
 * @param lt cublasLt
 * @param blas cuBLAS of the same version; empty if only cublasLt is there
 */
record CublasLibraries(NativeLibrary lt, Optional<NativeLibrary> blas) {

    private static final List<Integer> VERSIONS = List.of(13, 12);
    private static final Path INSTALLATIONS = Path.of("/usr/local");

    /**
     * Looks for them.
     *
     * @param explicit path of cublasLt; where it is given nothing else is tried, and cuBLAS is looked for beside it
     */
    static Optional<CublasLibraries> find(Optional<Path> explicit) {
        if (explicit.isPresent()) {
            return NativeLibrary.at(explicit.get())
                    .map(lt -> new CublasLibraries(
                            lt, beside(explicit.get().toAbsolutePath().getParent())));
        }
        List<Path> folders = folders(INSTALLATIONS);
        return VERSIONS.stream()
                .flatMap(version -> find(version, folders).stream())
                .findFirst();
    }

    private static Optional<CublasLibraries> find(int version, List<Path> folders) {
        String lt = "libcublasLt.so." + version;
        String blas = "libcublas.so." + version;
        return open(lt, folders).map(found -> new CublasLibraries(found, open(blas, folders)));
    }

    private static Optional<NativeLibrary> open(String soname, List<Path> folders) {
        return NativeLibrary.named(soname)
                .or(() -> folders.stream()
                        .map(folder -> folder.resolve(soname))
                        .filter(Files::exists)
                        .flatMap(path -> NativeLibrary.at(path).stream())
                        .findFirst());
    }

    private static Optional<NativeLibrary> beside(Path folder) {
        return VERSIONS.stream()
                .map(version -> folder.resolve("libcublas.so." + version))
                .filter(Files::exists)
                .flatMap(path -> NativeLibrary.at(path).stream())
                .findFirst();
    }

    /**
     * Library folders of the CUDA installations under a folder, the last name first: {@code cuda-13.1} before
     * {@code cuda-12.6}.
     */
    static List<Path> folders(Path installations) {
        List<Path> roots = new ArrayList<>();
        if (Files.isDirectory(installations)) {
            try (DirectoryStream<Path> cuda = Files.newDirectoryStream(installations, "cuda*")) {
                cuda.forEach(roots::add);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        return roots.stream()
                .sorted(Comparator.reverseOrder())
                .flatMap(root -> Stream.of(root.resolve("lib64"), root.resolve("targets/x86_64-linux/lib")))
                .filter(Files::isDirectory)
                .toList();
    }
}
