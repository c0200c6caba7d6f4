package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** The body of the forms of our pages, as every browser sends it. */
final class FormBody {

    private FormBody() {}

    static boolean isAsked(HttpServletRequest request) {
        return request.getMethod().equals("POST") && PagePaths.takeForms(request.getServletPath());
    }

    static boolean is(@Nullable String type) {
        return type != null
                && type.split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }
}
