package dev.tilewright.model.text;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/** The reason of a failure with files, in words of its own: the platform names a class, or only repeats the path. */
public final class FileFault {
    private static final Pattern PROGRAM =
            Pattern.compile("Cannot run program .*?error[=:] ?\\d+,? ?\\(?([^()]+)\\)?\\s*", Pattern.DOTALL);

    private FileFault() {}

    /** The reason, without the path: {@code no such file or folder}. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _, FileNotFoundException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "a file of that name is there";
            case NotDirectoryException _ -> "it is no folder";
            case DirectoryNotEmptyException _ -> "the folder is not empty";
            case FileSystemException system when system.getReason() != null -> small(system.getReason());
            case CharacterCodingException _ -> "it is no UTF-8 text";
            case ZipException _ -> "it is no zip archive, or a damaged one";
            case EOFException _ -> "it ends too early";
            default -> failure.getMessage() == null ? "input or output failed" : small(said(failure.getMessage()));
        };
    }

    /** Of a program that cannot be started, the reason stands behind its whole call. */
    private static String said(String message) {
        Matcher program = PROGRAM.matcher(message);
        return program.matches() ? program.group(1) : message;
    }

    /** Reasons of the operating system begin with a capital: {@code Is a directory}. */
    private static String small(String reason) {
        return reason.substring(0, Math.min(1, reason.length())).toLowerCase(Locale.ROOT)
                + reason.substring(Math.min(1, reason.length()));
    }
}
