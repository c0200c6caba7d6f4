package dev.tilewright.api.web;

import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** An answer that a browser saves and does not show. */
public final class Download {

    private Download() {}

    /** An answer that is kept under that name. */
    public static <T> ResponseEntity<T> of(String file, MediaType type, T content) {
        return ResponseEntity.ok()
                .contentType(type)
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        ContentDisposition.attachment().filename(file).build().toString())
                .body(content);
    }
}
