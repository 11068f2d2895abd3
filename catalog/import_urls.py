"""Page routes of imports, below the catalogue's."""

from django.urls import path

from catalog import import_views as views

urlpatterns = [
    path("imports/", views.imports, name="imports"),
    path("imports/<uuid:batch_id>/", views.batch, name="import"),
    path("imports/<uuid:batch_id>/progress/", views.progress, name="import_progress"),
    path("imports/<uuid:batch_id>/errors/", views.errors, name="import_errors"),
    path("imports/<uuid:batch_id>/answers/", views.answer, name="import_answer"),
    path("imports/<uuid:batch_id>/supplier/", views.supplier, name="import_supplier"),
    path("imports/<uuid:batch_id>/matches/", views.match, name="import_match"),
    path("imports/<uuid:batch_id>/profile/", views.profile, name="import_profile"),
    path("imports/<uuid:batch_id>/commit/", views.commit, name="import_commit"),
    path("imports/<uuid:batch_id>/undo/", views.undo, name="import_undo"),
    path("imports/<uuid:batch_id>/discard/", views.discard, name="import_discard"),
    path("imports/<uuid:batch_id>/reopen/", views.reopen, name="import_reopen"),
]
