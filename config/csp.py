"""The content security policy, with the reason beside each source."""

from django.utils.csp import CSP

POLICY: dict[str, list[str]] = {
    "default-src": [CSP.SELF],
    # Scripts are files of ours: no inline script, no eval, no other host.
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    # Plotly sets style attributes on the elements it draws; rules stay files of ours.
    "style-src-attr": [CSP.UNSAFE_INLINE],
    # data: for the icons inside style sheets, blob: for "save the chart as a picture".
    "img-src": [CSP.SELF, "data:", "blob:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.SELF],
    "object-src": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
